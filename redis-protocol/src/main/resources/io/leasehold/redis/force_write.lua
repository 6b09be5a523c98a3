-- force_write(writer, writing, forced, reading, pending;)
--
-- Atomic: takes the lock away from the writer, leaves a mark from which that owner will learn why,
-- and wakes whoever may come next.
--
--   RELEASED, now, woke    whether there was one: 1 or 0
--   ABSENT, now            there is no writer

local now = micros()
local held = call('GET', KEYS[1])
if not held then
  return {'ABSENT', text(now)}
end
mark(KEYS[1], held, KEYS[3])
call('DEL', KEYS[1])
local done, woken =
  pcall(writer_left, {writing = KEYS[2], reading = KEYS[4], pending = KEYS[5]}, '', now)
return {'RELEASED', text(now), done and woken and 1 or 0}
