-- First part of release: the usual case, as for grant. The lock is owner's, and nobody waits.
--
--   1    RELEASED, 0; without the clock, which grants tell often enough

if not ARGV[3] and redis.pcall('GET', KEYS[1]) == ARGV[1]
  and redis.pcall('ZCARD', KEYS[2]) == 0 and redis.pcall('DEL', KEYS[1]) == 1 then
  return 1
end
