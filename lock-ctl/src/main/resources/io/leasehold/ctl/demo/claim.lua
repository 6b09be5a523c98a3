-- A store's side of fencing, first half: KEYS[1] is the packet, ARGV[1] a token. Notes the token,
-- in one step, unless a later holder was here. Returns 1 when it was noted.
local fence = tonumber(redis.call('HGET', KEYS[1], 'fence') or '0')
if fence > tonumber(ARGV[1]) then
  return 0
end
redis.call('HSET', KEYS[1], 'fence', ARGV[1])
return 1
