-- grant(K, F, W; owner, ttl, proposal, notAfter, fenceRetention, client, enter)
--
-- Atomic: gives K to owner with its expiry and lifts F to the token, both or neither; or changes
-- nothing but the line of waiters. A repeated grant by the holder gives a larger token.
--
--   EXPIRED, now            the request came after notAfter
--   BUSY, now, remaining    another owner has K (-1: without an expiry); client stands in W if enter
--   GRANTED, now, token

local now = micros()
if now > tonumber(ARGV[4]) then
  return {'EXPIRED', text(now)}
end

local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then
  if ARGV[7] == '1' then
    -- NX: who asks again keeps its place. The expiry clears the line of a name that nobody uses.
    redis.call('ZADD', KEYS[3], 'NX', text(now / 1000), ARGV[6])
    redis.call('PEXPIRE', KEYS[3], 600000)
  end
  return {'BUSY', text(now), redis.call('PTTL', KEYS[1])}
end

local token = next_token(KEYS[2], tonumber(ARGV[3]), now)
redis.call('SET', KEYS[2], text(token), 'PX', ARGV[5])
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.pcall('ZREM', KEYS[3], ARGV[6]) -- pcall: the lock is granted, and must be answered so
return {'GRANTED', text(now), text(token)}
