-- setnx_release(K, C; owner)
--
-- Atomic: deletes K and C only if K is still owner's. Nobody is told: those clients poll.
--
--   RELEASED, now, 0
--   ABSENT | TAKEN, now    not owner's, or its time is past: nothing was changed

local now = micros()
local value, mine = holds(KEYS[1], KEYS[2], ARGV[1], now)
if not mine then
  return {loss(value), text(now)}
end
call('DEL', KEYS[1])
redis.pcall('DEL', KEYS[2]) -- it ends by itself
return {'RELEASED', text(now), 0}
