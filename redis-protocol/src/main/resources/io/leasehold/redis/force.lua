-- force(K, W, T, forced;)
--
-- Atomic: takes K away from whoever has it, leaves a mark from which that owner will learn why,
-- and wakes one waiting client, or gives it its turn.
--
--   RELEASED, now, woke    whether there was one: 1 or 0
--   ABSENT, now            nobody had it

local now = micros()
local held = call('GET', KEYS[1])
if not held then
  return {'ABSENT', text(now)}
end
mark(KEYS[1], held, KEYS[4])
call('DEL', KEYS[1])
return {'RELEASED', text(now), choose(KEYS[2], KEYS[3], KEYS[1], now) and 1 or 0}
