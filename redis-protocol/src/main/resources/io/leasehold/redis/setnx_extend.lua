-- setnx_extend(K1, C1, K2, C2, ...; owner1, ttl1, owner2, ttl2, ...)
--
-- Atomic for each lock: pushes its end out only if it is still owner's, and not past. Never creates
-- a lock. A lock that fails does not fail the others: its error is its answer.
--
--   now, then for each lock: EXTENDED | ABSENT | TAKEN | ERROR:<the server's words>

local now = micros()

local function extend(lock, claim, owner, ttl)
  local value, mine = holds(lock, claim, owner, now)
  if not mine then
    return loss(value)
  end
  keep(lock, claim, owner, tonumber(ttl), now)
  return 'EXTENDED'
end

local answers = {text(now)}
for i = 1, #KEYS, 2 do
  local done, answer = pcall(extend, KEYS[i], KEYS[i + 1], ARGV[i], ARGV[i + 1])
  answers[#answers + 1] = done and answer or failure(answer)
end
return answers
