-- First part of transfer: the usual case, as for grant. The lock is from's, no guard, and a proposal
-- within a second of the clock.
--
--   'seconds micros others'    as proposed: GRANTED, now, proposal, 0, others

if not ARGV[7] then
  local time = redis.pcall('TIME')
  if is_now(ARGV[4], time) and redis.pcall('GET', KEYS[1]) == ARGV[1] then
    if lifted(KEYS[2], ARGV[4], ARGV[5]) then
      redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
      return time[1] .. ' ' .. time[2] .. ' ' .. others(KEYS[3], ARGV[6])
    end
  end
end
