-- First part of release: the usual case, as for grant. The lock is owner's, and nobody waits.
--
--   'seconds micros 0'    RELEASED, now, 0

if ARGV[3] == '0' and redis.pcall('GET', KEYS[1]) == ARGV[1]
  and redis.pcall('ZCARD', KEYS[2]) == 0 then
  local time = redis.pcall('TIME')
  if time[1] and redis.pcall('DEL', KEYS[1]) == 1 then
    return time[1] .. ' ' .. time[2] .. ' 0'
  end
end
