-- release_all(K1, W1, T1, forced1, K2, ...; owner, client, yielding, member)
--
-- Atomic: deletes those of the locks that are still owner's, and wakes one waiting client for each,
-- or gives it its turn. A client that yields wants all of them again: as member it stands in line
-- for those that another was woken for, or for the first.
--
--   RELEASED, now, woke             all were owner's; whether another client was woken: 1 or 0
--   ABSENT | TAKEN | FORCED, now    one was not

local now = micros()
local lost
local told = {}
for i = 1, #KEYS, 4 do
  local held = call('GET', KEYS[i])
  if held ~= ARGV[1] then
    lost = lost or loss(held, KEYS[i + 3], ARGV[1])
  else
    call('DEL', KEYS[i])
    if ARGV[3] == '1' then
      redis.pcall('ZREM', KEYS[i + 1], ARGV[4])
    end
    local _, client = choose(KEYS[i + 1], KEYS[i + 2], KEYS[i], now)
    if client and client ~= ARGV[2] then
      told[#told + 1] = KEYS[i + 1]
    end
  end
end
if lost then
  return {lost, text(now)}
end
if ARGV[3] == '1' then
  for _, line in ipairs(#told > 0 and told or {KEYS[2]}) do
    pcall(enter, line, ARGV[4], now)
  end
end
return {'RELEASED', text(now), #told > 0 and 1 or 0}
