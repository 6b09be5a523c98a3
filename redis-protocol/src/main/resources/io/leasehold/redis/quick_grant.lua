-- Part of grant: the usual case, at half the price, before anything else is even defined. A lock
-- that is free, no guard, nobody who wants to be woken, a deadline that is not past, and a proposal
-- within a second of the clock. Everything else is for the rest of the script, with nothing changed;
-- so is an error, which the rest meets again and tells properly.
--
--   'seconds micros 0'    as proposed: GRANTED, now, proposal, 0, 0
--
-- Each word of a request costs the server something, too: so there are no more than needed. The
-- reply is one text, because that is what a server makes and sends with the least effort.

if not ARGV[6] then
  local time = redis.pcall('TIME')
  if is_now(ARGV[3], time) and time[1] * 1000000 + time[2] <= tonumber(ARGV[4]) then
    local taken = redis.pcall('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
    if taken and taken.ok then
      if lifted(KEYS[2], ARGV[3], ARGV[5]) then
        return time[1] .. ' ' .. time[2] .. ' 0'
      end
      redis.call('DEL', KEYS[1])
    end
  end
end
