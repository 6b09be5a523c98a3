-- leave(K, W, T; client, place)
--
-- Atomic: gives a place of a fair line up. If it has its turn, and the lock is free, the next has
-- it now.
--
--   LEFT, now

local now = micros()
local mine = ARGV[1] .. '/' .. ARGV[2]
call('ZREM', KEYS[2], mine)
if turn_of(KEYS[3]) == mine then
  call('DEL', KEYS[3])
  if call('EXISTS', KEYS[1]) == 0 then
    choose(KEYS[2], KEYS[3], KEYS[1], now)
  end
end
return {'LEFT', text(now)}
