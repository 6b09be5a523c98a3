-- redisson_grant(K; owner, ttl, notAfter)
--
-- Atomic: makes K, with owner as its one holder and an expiry, if there is none; a repeated grant
-- by the holder sets its expiry anew and does not count. Otherwise changes nothing.
--
--   EXPIRED, now            the request came after notAfter
--   BUSY, now, remaining    another has K (-1: without an expiry)
--   GRANTED, now

local now = micros()
if now > tonumber(ARGV[3]) then
  return {'EXPIRED', text(now)}
end
local mine, kind = holds(KEYS[1], ARGV[1])
if kind ~= 'hash' and kind ~= 'none' then
  return other_layout(KEYS[1], kind, 'redisson')
end
if kind == 'hash' and not mine then
  return {'BUSY', text(now), call('PTTL', KEYS[1])}
end
if not mine then
  call('HSET', KEYS[1], ARGV[1], 1)
end
if redis.pcall('PEXPIRE', KEYS[1], ARGV[2]) ~= 1 then
  if not mine then
    redis.pcall('DEL', KEYS[1]) -- a lock never stays without an end
  end
  call('PEXPIRE', KEYS[1], ARGV[2]) -- tells why
  error('the lock could not be given an end')
end
return {'GRANTED', text(now)}
