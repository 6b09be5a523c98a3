-- First part of grant: the usual case, at half the price, before anything else is even defined. A
-- lock that is free, no guard, a deadline that is more than a second away, and a proposal in the
-- very second that it is. Everything else is for the rest of the script, with nothing changed; so
-- is an error, which the rest meets again and tells properly.
--
--   'seconds micros others'    as proposed: GRANTED, now, proposal, 0, others
--
-- Each word of a request costs the server something, too: so there are no more than needed. Who does
-- not want to be woken stands in no line for this, and need not know of one.
--
-- One text, because that is what a server makes and sends with the least effort.

do
  local time = redis.pcall('TIME')
  if not ARGV[8] and #ARGV[3] == 16 and time[1] == string.sub(ARGV[3], 1, 10)
    and #ARGV[4] == 16 and time[1] < string.sub(ARGV[4], 1, 10) then
    local taken = redis.pcall('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
    if taken and taken.ok then
      if lifted(KEYS[2], ARGV[3], ARGV[5]) then
        return time[1] .. ' ' .. time[2] .. ' ' .. (ARGV[7] and others(KEYS[3], ARGV[6]) or 0)
      end
      redis.call('DEL', KEYS[1])
    end
  end
end
