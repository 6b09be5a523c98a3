-- force(K, W, forced;)
--
-- Atomic: takes K away from whoever has it, leaves a mark from which that owner will learn why,
-- and wakes one waiting client.
--
--   RELEASED, now
--   ABSENT, now    nobody had it

local now = micros()
local held = call('GET', KEYS[1])
if not held then
  return {'ABSENT', text(now)}
end
-- The owner asks again before its lease would have ended; one minute covers a pause.
local remaining = call('PTTL', KEYS[1])
local mark = remaining < 0 and 600000 or remaining + 60000
call('SET', KEYS[3], held, 'PX', text(mark))
call('DEL', KEYS[1])
wake_one(KEYS[2], KEYS[1], now)
return {'RELEASED', text(now)}
