-- release(K, W, T, forced; owner, client, yielding)
--
-- Atomic: deletes K only if it is still owner's, and then wakes one waiting client, or gives it its
-- turn. A client that yields wants K again, and stands in W then, behind all others. One that does
-- not may leave that word out.
--
--   RELEASED, now, woke             whether that was another client: 1 or 0
--   ABSENT | TAKEN | FORCED, now    not owner's: nothing was changed

local now = micros()
local held = call('GET', KEYS[1])
if held ~= ARGV[1] then
  return {loss(held, KEYS[4], ARGV[1]), text(now)}
end
call('DEL', KEYS[1])
-- While a slot moves this is called with K in the place of its companions: then there is no line.
local yields = ARGV[3] == '1' and KEYS[2] ~= KEYS[1]
if yields then
  redis.pcall('ZREM', KEYS[2], ARGV[2])
end
local _, woken = choose(KEYS[2], KEYS[3], KEYS[1], now)
if yields then
  pcall(enter, KEYS[2], ARGV[2], now) -- the lock is free, and that must be answered
end
return {'RELEASED', text(now), woken and woken ~= ARGV[2] and 1 or 0}
