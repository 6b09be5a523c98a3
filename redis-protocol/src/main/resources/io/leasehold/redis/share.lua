-- Last part of read and permit: what is kept out, and what else happens when somebody is served, is
-- told by the part before.

local now = micros()
if now > tonumber(ARGV[4]) then
  return {'EXPIRED', text(now)}
end

local remaining, longest = guarded(KEYS[3], tonumber(ARGV[6]), now)
if remaining > 0 then
  return {'GUARDED', text(now), text(remaining)}
end

local holders = count(KEYS[1], now)
local again = live(KEYS[1], ARGV[1], now)
local busy = not again and kept_out(holders, now)
if busy then
  if ARGV[8] == '1' then
    enter(KEYS[4], ARGV[7], now)
  end
  return {'BUSY', text(now), busy}
end

admits(holders)
local token = next_token(KEYS[2], tonumber(ARGV[3]), now)
call('SET', KEYS[2], text(token), 'PX', ARGV[5])
put(KEYS[1], ARGV[1], now + tonumber(ARGV[2]) * 1000, now)
local waiting = served(again and holders or holders + 1, now)
return {'GRANTED', text(now), text(token), text(longest), waiting}
