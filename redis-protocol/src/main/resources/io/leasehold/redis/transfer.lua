-- transfer(K, F, forced; from, to, ttl, proposal, fenceRetention)
--
-- Atomic: hands K from one owner to the next and lifts F to the token, both or neither. K that is
-- to's already is a replay: it gets a larger token.
--
--   GRANTED, now, token
--   ABSENT | TAKEN | FORCED, now    not from's: nothing was changed

local now = micros()
local held = redis.call('GET', KEYS[1])
if held ~= ARGV[1] and held ~= ARGV[2] then
  return {loss(held, KEYS[3], ARGV[1]), text(now)}
end
local token = next_token(KEYS[2], tonumber(ARGV[4]), now)
redis.call('SET', KEYS[2], text(token), 'PX', ARGV[5])
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return {'GRANTED', text(now), text(token)}
