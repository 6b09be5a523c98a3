-- setnx_inspect(K, C;)
--
-- Atomic, and changes nothing. The owner of a lock that is other code's is nobody we could name:
-- then it is the time stamp.
--
--   INSPECTED, now, the owner or nil, remaining (-2: no lock), 0

local now = micros()
local kind = call('TYPE', KEYS[1]).ok
if kind ~= 'none' and (kind ~= 'string' or not is_time_stamp(call('GET', KEYS[1]))) then
  return other_layout(KEYS[1], kind, 'setnx')
end
local claim = call('GET', KEYS[2])
local owner = claim and string.match(claim, ' (.*)$')
local value, mine = holds(KEYS[1], KEYS[2], owner or '', now)
if not value then
  return {'INSPECTED', text(now), false, -2, 0}
end
return {'INSPECTED', text(now), mine and owner or value, tonumber(value) - millis(now), 0}
