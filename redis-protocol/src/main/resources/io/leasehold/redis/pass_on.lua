-- pass_on(writer, R, writing, reading, pending; client, side)
--
-- Atomic: a client that was woken and does not want to read (side 'read') or to write any more
-- passes the wake-up on, if the lock is still free. If it is not, its holder wakes the next. When
-- no writer is left in line, readers are let in at once, also beside those that read already.
-- Its place in the line of readers stays if it is new: a call may have entered just now.
--
--   DONE, now

local now = micros()
local rw = {readers = KEYS[2], writing = KEYS[3], reading = KEYS[4], pending = KEYS[5]}
if ARGV[2] == 'read' then
  local entered = tonumber(call('ZSCORE', rw.reading, ARGV[1]) or '')
  if entered and now - entered > LEFTOVER_MICROS then
    call('ZREM', rw.reading, ARGV[1])
  end
end
if call('EXISTS', KEYS[1]) == 0 then
  local woken = count(rw.readers, now) == 0 and wake_writer(rw, now, ARGV[1])
  if not woken and ARGV[2] == 'write' and call('ZCARD', rw.writing) == 0 then
    call('DEL', rw.pending) -- it was this client's; and no reader was told that it is free
    wake_readers(rw, ARGV[1], now)
  end
end
return {'DONE', text(now)}
