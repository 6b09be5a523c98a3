-- inspect_shares(M, F, W;)
--
-- Atomic, and changes nothing.
--
--   INSPECTED, now, fence, waiters, then for each holder, up to 1000 of them: owner, remaining

local now = micros()
local answer = {'INSPECTED', text(now), text(fence(KEYS[2])), call('ZCARD', KEYS[3])}
local found =
  call('ZRANGE', KEYS[1], '(' .. text(now), '+inf', 'BYSCORE', 'LIMIT', 0, 1000, 'WITHSCORES')
for i = 1, #found, 2 do
  answer[#answer + 1] = found[i]
  answer[#answer + 1] = math.ceil((tonumber(found[i + 1]) - now) / 1000)
end
return answer
