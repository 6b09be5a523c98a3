-- redisson_extend(K1, K2, ...; owner1, ttl1, owner2, ttl2, ...)
--
-- Atomic for each lock: pushes its expiry out only if it is still owner's. Never creates a key.
-- A lock that fails does not fail the others: its error is its answer.
--
--   now, then for each lock: EXTENDED | ABSENT | TAKEN | ERROR:<the server's words>

local function extend(key, owner, ttl)
  local mine, kind = holds(key, owner)
  if not mine then
    return loss(kind)
  end
  call('PEXPIRE', key, ttl)
  return 'EXTENDED'
end

local answers = {text(micros())}
for i = 1, #KEYS do
  local done, answer = pcall(extend, KEYS[i], ARGV[2 * i - 1], ARGV[2 * i])
  answers[i + 1] = done and answer or failure(answer)
end
return answers
