-- First part of grant: the usual case on the usual terms, which need not be said: a ttl of 30 s, a
-- retention of 10 minutes, and a deadline half a second behind the proposal. As quick_grant, and
-- with nothing that is defined first: that would cost more than it does.
--
--   1                     as proposed, which is the time within a millisecond: GRANTED, unknown,
--                         proposal, 0, 0
--   'seconds micros 0'    as proposed: GRANTED, now, proposal, 0, 0

if not ARGV[3] then
  local time = redis.pcall('TIME')
  local ahead = #ARGV[2] == 16 and time[1] and ARGV[2] - (time[1] * 1000000 + time[2])
  if ahead and ahead >= -500000 and ahead < 1000000 then
    local taken = redis.pcall('SET', KEYS[1], ARGV[1], 'NX', 'PX', '30000')
    if taken and taken.ok then
      local before = redis.pcall('SET', KEYS[2], ARGV[2], 'PX', '600000', 'GET')
      if not before or (type(before) == 'string' and #before == 16 and before < ARGV[2]) then
        return ahead < 1000 and ahead > -1000 and 1 or time[1] .. ' ' .. time[2] .. ' 0'
      end
      if type(before) == 'string' then -- otherwise an error, and nothing was set
        redis.pcall('SET', KEYS[2], before, 'PX', '600000')
      end
      redis.call('DEL', KEYS[1])
    end
  end
  ARGV[2], ARGV[3], ARGV[4], ARGV[5] = '30000', ARGV[2], ARGV[2] + 500000, '600000'
end
