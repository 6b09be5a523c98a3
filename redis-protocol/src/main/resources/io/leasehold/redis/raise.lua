-- raise(K, F; owner, token, fenceRetention)
--
-- Atomic: lifts F to token, only while owner has K, never down and never far ahead of the clock.
-- F = token under one's own lock can only be one's own: that is a replay, and raised again.
--
--   RAISED, now
--   REFUSED, now, fence

local now = micros()
local token = tonumber(ARGV[2])
local standing = fence(KEYS[2])
if redis.call('GET', KEYS[1]) == ARGV[1] and standing <= token and token <= now + EPSILON then
  redis.call('SET', KEYS[2], text(token), 'PX', ARGV[3])
  return {'RAISED', text(now)}
end
return {'REFUSED', text(now), text(standing)}
