-- Atomic: deletes the key only if it still has this value. 1 if it did, 0 if not.

if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
