-- inspect(K, F, W;)
--
-- Atomic, and changes nothing.
--
--   INSPECTED, now, the owner or nil, remaining (-1: no expiry, -2: no lock), fence, waiters

return {
  'INSPECTED',
  text(micros()),
  call('GET', KEYS[1]),
  call('PTTL', KEYS[1]),
  text(fence(KEYS[2])),
  call('ZCARD', KEYS[3]),
}
