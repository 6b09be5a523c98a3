-- Last part of force_read and force_permit.

local now = micros()
local holders = count(KEYS[1], now)
if holders == 0 then
  return {'ABSENT', text(now)}
end
-- Its owners ask again before their leases would have ended; one minute covers a pause.
for from = 0, holders - 1, 500 do
  local some = call('ZRANGE', KEYS[1], from, from + 499, 'WITHSCORES')
  local marks = {}
  for i = 1, #some, 2 do
    marks[#marks + 1] = text(tonumber(some[i + 1]) + 60000000)
    marks[#marks + 1] = some[i]
  end
  call('ZADD', KEYS[3], unpack(marks))
end
count(KEYS[3], now)
call('PEXPIRE', KEYS[3], text(left(KEYS[3], -1, now) + 1))
call('DEL', KEYS[1])
local done, woken = pcall(given_back, now)
return {'RELEASED', text(now), done and woken and 1 or 0}
