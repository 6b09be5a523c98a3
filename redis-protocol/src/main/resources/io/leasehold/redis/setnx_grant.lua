-- setnx_grant(K, C; owner, ttl, notAfter)
--
-- Atomic: gives K to owner if nobody has it, or its time is past; a repeated grant by the holder
-- sets its end anew. Otherwise changes nothing.
--
--   EXPIRED, now            the request came after notAfter
--   BUSY, now, remaining    another has K
--   GRANTED, now

local now = micros()
if now > tonumber(ARGV[3]) then
  return {'EXPIRED', text(now)}
end
local kind = call('TYPE', KEYS[1]).ok
if kind ~= 'none' and (kind ~= 'string' or not is_time_stamp(call('GET', KEYS[1]))) then
  return other_layout(KEYS[1], kind, 'setnx')
end
local value, mine = holds(KEYS[1], KEYS[2], ARGV[1], now)
if value and not mine then
  return {'BUSY', text(now), tonumber(value) - millis(now)}
end
keep(KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2]), now)
return {'GRANTED', text(now)}
