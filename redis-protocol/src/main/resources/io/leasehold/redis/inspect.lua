-- inspect(K, F, W;)
--
-- Atomic, and changes nothing.
--
--   INSPECTED, now, the owner or nil, remaining (-1: no expiry, -2: no lock), fence, waiters

return {
  'INSPECTED',
  text(micros()),
  redis.call('GET', KEYS[1]),
  redis.call('PTTL', KEYS[1]),
  text(fence(KEYS[2])),
  redis.call('ZCARD', KEYS[3]),
}
