-- end_write(writer, writing, forced, reading, pending; owner, client, yielding)
--
-- Atomic: ends the writer, only if it is still owner. All who wait to read are woken, or, if there
-- is none, one who waits to write. A client that yields wants to write again, and stands in line
-- then, behind all others.
--
--   RELEASED, now, woke             whether another client was: 1 or 0
--   ABSENT | TAKEN | FORCED, now    not the writer: nothing was changed

local now = micros()
local held = call('GET', KEYS[1])
if held ~= ARGV[1] then
  return {loss(held, KEYS[3], ARGV[1]), text(now)}
end
call('DEL', KEYS[1])
-- While a slot moves this is called with the first key in the place of all: there is no line then.
if KEYS[2] == KEYS[1] then
  return {'RELEASED', text(now), 0}
end
local yields = ARGV[3] == '1'
if yields then
  redis.pcall('ZREM', KEYS[2], ARGV[2])
end
local done, woken =
  pcall(writer_left, {writing = KEYS[2], reading = KEYS[4], pending = KEYS[5]}, ARGV[2], now)
if yields then
  pcall(enter, KEYS[2], ARGV[2], now)
end
return {'RELEASED', text(now), done and woken and woken ~= ARGV[2] and 1 or 0}
