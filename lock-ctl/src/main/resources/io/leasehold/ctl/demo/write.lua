-- A store's side of fencing, second half: KEYS[1] is the packet, ARGV[1] a token, ARGV[2] the new
-- balance. Writes it, in one step, if nobody has claimed since. Returns 1 when it was written.
if redis.call('HGET', KEYS[1], 'fence') ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'balance', ARGV[2])
return 1
