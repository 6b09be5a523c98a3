-- release(K, W, forced; owner)
--
-- Atomic: deletes K only if it is still owner's, and then wakes one waiting client.
--
--   RELEASED, now
--   ABSENT | TAKEN | FORCED, now    not owner's: nothing was changed

local now = micros()
local held = call('GET', KEYS[1])
if held ~= ARGV[1] then
  return {loss(held, KEYS[3], ARGV[1]), text(now)}
end
call('DEL', KEYS[1])
wake_one(KEYS[2], KEYS[1], now)
return {'RELEASED', text(now)}
