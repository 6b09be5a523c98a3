-- extend(K1, forced1, F1, K2, ...; fenceRetention, owner1, ttl1, owner2, ttl2, ...)
--
-- Atomic for each lock: pushes its expiry out only if it is still owner's. Never creates a key.
-- A lock that fails does not fail the others: its error is its answer.
--
--   now, then for each lock: EXTENDED | ABSENT | TAKEN | FORCED | ERROR:<the server's words>

local function extend(key, forced_key, owner, ttl)
  local held = call('GET', key)
  if held ~= owner then
    return loss(held, forced_key, owner)
  end
  call('PEXPIRE', key, ttl)
  return 'EXTENDED'
end
