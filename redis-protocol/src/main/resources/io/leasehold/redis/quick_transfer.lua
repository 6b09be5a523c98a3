-- First part of transfer: the usual case, as for grant. The lock is from's, no guard, and a proposal
-- in the very second that it is.
--
--   'seconds micros others'    as proposed: GRANTED, now, proposal, 0, others

do
  local time = redis.pcall('TIME')
  if not ARGV[7] and #ARGV[4] == 16 and time[1] == string.sub(ARGV[4], 1, 10)
    and redis.pcall('GET', KEYS[1]) == ARGV[1] and lifted(KEYS[2], ARGV[4], ARGV[5]) then
    redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
    return time[1] .. ' ' .. time[2] .. ' ' .. others(KEYS[3], ARGV[6])
  end
end
