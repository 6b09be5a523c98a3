-- Shared part of the quick ways: lifts F to the proposal, in one command, if it is larger. Whether
-- it was; if not, F is as it was. Numbers of 16 digits are compared as text, which costs less.

local function lifted(key, proposal, retention)
  local before = redis.pcall('SET', key, proposal, 'PX', retention, 'GET')
  if not before or (type(before) == 'string' and #before == 16 and before < proposal) then
    return true
  end
  if type(before) == 'string' then -- otherwise an error, and nothing was set
    redis.pcall('SET', key, before, 'PX', retention)
  end
  return false
end
