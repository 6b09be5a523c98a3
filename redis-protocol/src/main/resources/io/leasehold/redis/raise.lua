-- raise(K, F, G; owner, token, fenceRetention, quarantine)
--
-- Atomic: lifts F to token, only while owner has K, never down, never far ahead of the clock, and
-- never to what lies so far behind it that F may have been there and expired.
-- F = token under one's own lock can only be one's own: that is a replay, and raised again.
--
--   GUARDED, now, remaining    this server may have lost leases: it has no say yet
--   RAISED, now
--   REFUSED, now, fence

local now = micros()
local remaining = guarded(KEYS[3], tonumber(ARGV[4]), now)
if remaining > 0 then
  return {'GUARDED', text(now), text(remaining)}
end
local token = tonumber(ARGV[2])
local standing = fence(KEYS[2])
if has(KEYS[1], ARGV[1], now)
    and token > limit(standing) and token > now - LAMBDA and token <= now + EPSILON then
  call('SET', KEYS[2], text(math.max(token, standing)), 'PX', ARGV[3])
  return {'RAISED', text(now)}
end
return {'REFUSED', text(now), text(standing)}
