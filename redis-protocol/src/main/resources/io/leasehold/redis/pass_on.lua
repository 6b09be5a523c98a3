-- pass_on(writer, R, writing, reading, pending; client, side)
--
-- Atomic: a client that was woken and does not want to read (side 'read') or to write any more
-- passes the wake-up on, if the lock is still free. If it is not, whoever has it wakes the next.
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
if call('EXISTS', KEYS[1]) == 0 and count(rw.readers, now) == 0
  and not wake_writer(rw, now, ARGV[1]) and call('ZCARD', rw.writing) == 0
  and ARGV[2] == 'write' then
  call('DEL', rw.pending) -- it was this client's; and nobody was told that it is free
  wake_readers(rw, ARGV[1], now)
end
return {'DONE', text(now)}
