-- wake(K, W;)
--
-- Atomic: a client that was woken and does not want the lock any more passes the wake-up on, if
-- the lock is still free. If it is not, its holder's release will wake the next.
--
--   DONE, now

local now = micros()
if call('EXISTS', KEYS[1]) == 0 then
  wake_one(KEYS[2], KEYS[1], now)
end
return {'DONE', text(now)}
