-- Last part of extend and extend_share. The fence of what is extended lives on, too, so that one
-- who looks still sees the token of a lock that is held for hours. Whether it does is nobody's
-- business; and while a slot moves the lock's key stands in its place.

local now = micros()
local answers = {text(now)}
for i = 1, #KEYS, 3 do
  local at = i - (i - 1) / 3 + 1
  local done, answer = pcall(extend, KEYS[i], KEYS[i + 1], ARGV[at], ARGV[at + 1], now)
  if not done then
    -- Redis 7 throws a table, Redis 6 a string.
    answer = 'ERROR:' .. (type(answer) == 'table' and answer.err or tostring(answer))
  elseif answer == 'EXTENDED' and KEYS[i + 2] ~= KEYS[i] then
    redis.pcall('PEXPIRE', KEYS[i + 2], ARGV[1])
  end
  answers[#answers + 1] = answer
end
return answers
