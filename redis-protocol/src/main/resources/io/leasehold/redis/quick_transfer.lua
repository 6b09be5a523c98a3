-- First part of transfer: the usual case, as for grant. The lock is from's, no guard, and a proposal
-- within a second of the clock.
--
--   'seconds micros others before'    as proposed: GRANTED, now, proposal, 0, others; and where F
--                                     was before

if not ARGV[7] then
  local time = redis.pcall('TIME')
  if is_now(ARGV[4], time) and redis.pcall('GET', KEYS[1]) == ARGV[1] then
    local before = lifted(KEYS[2], ARGV[4], ARGV[5])
    if before then
      redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
      return time[1] .. ' ' .. time[2] .. ' ' .. others(KEYS[3], ARGV[6]) .. ' ' .. before
    end
  end
end
