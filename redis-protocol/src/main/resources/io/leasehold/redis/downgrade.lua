-- downgrade(R, F, G, writer, forced, writing, reading, pending, B; from, to, ttl, proposal,
--   fenceRetention, quarantine, client)
--
-- Atomic: makes the writer from the reader to, and lifts F to the token, both or neither; no writer
-- comes between. As after a writer, all who wait to read are woken. A reader to, when from is not
-- the writer any more, is a replay: it gets a larger token. While guarded nothing is handed on: the
-- writer has left.
--
--   GRANTED, now, token, longest, others    the longest quarantine that any client asked for, and
--                                           how many others wait
--   GUARDED, now, remaining                 released
--   ABSENT | TAKEN | FORCED, now            not from's: nothing was changed

local now = micros()
local held = call('GET', KEYS[4])
local writes = held == ARGV[1]
if not writes and not live(KEYS[1], ARGV[2], now) then
  return {loss(held, KEYS[5], ARGV[1]), text(now)}
end
local rw = {writing = KEYS[6], reading = KEYS[7], pending = KEYS[8]}
local remaining, longest = guarded(KEYS[3], tonumber(ARGV[6]), now)
if remaining > 0 then
  if writes then
    call('DEL', KEYS[4])
  end
  call('ZREM', KEYS[1], ARGV[2])
  pcall(writer_left, rw, ARGV[7], now)
  return {'GUARDED', text(now), text(remaining)}
end
if count(KEYS[1], now) == 0 then
  call('SET', KEYS[9], text(fence(KEYS[2])), 'PX', ARGV[5])
end
local token = next_token(KEYS[2], tonumber(ARGV[4]), now)
call('SET', KEYS[2], text(token), 'PX', ARGV[5])
put(KEYS[1], ARGV[2], now + tonumber(ARGV[3]) * 1000, now)
if writes then
  call('DEL', KEYS[4])
  pcall(wake_readers, rw, ARGV[7], now)
end
local writers = redis.pcall('ZCARD', KEYS[6])
writers = type(writers) == 'number' and writers or 0
return {'GRANTED', text(now), text(token), text(longest), writers}
