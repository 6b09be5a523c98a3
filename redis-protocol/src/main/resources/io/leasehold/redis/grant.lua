-- grant(K, F, W, G; owner, ttl, proposal, notAfter, fenceRetention, client, enter, quarantine)
--
-- Atomic: gives K to owner with its expiry and lifts F to the token, both or neither; or changes
-- nothing but the guard and the line of waiters. A repeated grant by the holder gives a larger
-- token. Without a guard, G and quarantine are left out; and, when not to enter, W, client, enter;
-- and on the usual terms, ttl, notAfter and fenceRetention.
--
--   EXPIRED, now                            the request came after notAfter
--   GUARDED, now, remaining                 this server may have lost leases: nothing is granted yet
--   BUSY, now, remaining                    another owner has K (-1: without an expiry); client
--                                           stands in W if enter
--   GRANTED, now, token, longest, others    the longest quarantine that any client asked for, and
--                                           how many others wait

local now = micros()
if now > tonumber(ARGV[4]) then
  return {'EXPIRED', text(now)}
end

local remaining, longest = guarded(guard_key, quarantine, now)
if remaining > 0 then
  return {'GUARDED', text(now), text(remaining)}
end

local held = call('GET', KEYS[1])
if held and held ~= ARGV[1] then
  local left = call('PTTL', KEYS[1])
  if left == -1 and #held == 13 and not string.find(held, '%D') then
    return redis.error_reply('LAYOUT the key of this lock is a time stamp, as of SETNX/GETSET code'
      .. ' (layout=setnx), not distlock: all its clients need one layout')
  end
  return {'BUSY', text(now), busy(now, left)}
end
local turn_left = not held and ahead(now)
if turn_left then
  return {'BUSY', text(now), turn_left}
end

local token = next_token(KEYS[2], tonumber(ARGV[3]), now)
call('SET', KEYS[2], text(token), 'PX', ARGV[5])
call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return {'GRANTED', text(now), text(token), text(longest), served(now)}
