-- pass_permit(W; client)
--
-- Atomic: a client that was woken and does not want a permit any more passes the wake-up on. How
-- many permits there are is the next one's business.
--
--   DONE, now

local now = micros()
choose(KEYS[1], '', KEYS[1], now, nil, ARGV[1])
return {'DONE', text(now)}
