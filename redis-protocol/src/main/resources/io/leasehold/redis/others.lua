-- Shared part: how many wait for a name, once member does not. For after a grant, which must be
-- answered as one: errors are swallowed. Most locks have no line, so that is asked first.

local function others(waiters, member)
  local count = redis.pcall('ZCARD', waiters)
  if type(count) ~= 'number' then
    return 0
  end
  if count > 0 and redis.pcall('ZREM', waiters, member) == 1 then
    count = count - 1
  end
  return count
end
