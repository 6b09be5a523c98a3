-- Last part of end_read and end_permit: the part before tells whom it may concern.

local now = micros()
if not live(KEYS[1], ARGV[1], now) then
  return {share_loss(KEYS[1], KEYS[3], ARGV[1], now), text(now)}
end
call('ZREM', KEYS[1], ARGV[1])
-- While a slot moves this is called with the first key in the place of all: there is no line then.
if KEYS[2] == KEYS[1] then
  return {'RELEASED', text(now), 0}
end
-- What is given back must be answered so, whatever becomes of those who wait.
local yields = ARGV[3] == '1'
if yields then
  redis.pcall('ZREM', KEYS[2], ARGV[2])
end
local done, woken = pcall(given_back, now)
if yields then
  pcall(enter, KEYS[2], ARGV[2], now)
end
return {'RELEASED', text(now), done and woken and woken ~= ARGV[2] and 1 or 0}
