-- Shared part of the quick ways.

-- Whether a proposal lies within a second of the clock; not when the clock could not be read.
local function is_now(proposal, time)
  if #proposal ~= 16 or not time[1] then
    return false
  end
  local ahead = tonumber(proposal) - (time[1] * 1000000 + time[2])
  return ahead > -1000000 and ahead < 1000000
end

-- Lifts F to the proposal, in one command, if it is larger, and returns whether it did; if not, F is
-- as it was. Numbers of 16 digits are compared as text, which costs less.
local function lifted(key, proposal, retention)
  local before = redis.pcall('SET', key, proposal, 'PX', retention, 'GET')
  if not before then
    return true
  end
  if type(before) ~= 'string' then
    return false -- an error: nothing was set
  end
  if #before == 16 and before < proposal then
    return true
  end
  redis.pcall('SET', key, before, 'PX', retention)
  return false
end
