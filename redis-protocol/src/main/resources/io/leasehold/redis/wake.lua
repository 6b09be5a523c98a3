-- wake(K, W, T; client)
--
-- Atomic: a client that was woken and does not want the lock any more passes the wake-up on, if
-- the lock is still free. If it is not, its holder's release will wake the next. A turn that it was
-- given ends; another's turn is left alone. Its place stays if it is new: a call of the client may
-- have taken it just now, and not be listening yet. One that is older is a leftover.
--
--   DONE, now

local now = micros()
local member, client, stop = turn_of(KEYS[3])
if client == ARGV[1] then
  local entered = tonumber(call('ZSCORE', KEYS[2], member) or '0')
  if now - entered > LEFTOVER_MICROS then
    call('ZREM', KEYS[2], member)
  end
  call('DEL', KEYS[3])
  member = nil
end
local taken = member and stop > now and call('ZSCORE', KEYS[2], member)
if not taken and call('EXISTS', KEYS[1]) == 0 then
  choose(KEYS[2], KEYS[3], KEYS[1], now, nil, ARGV[1])
end
return {'DONE', text(now)}
