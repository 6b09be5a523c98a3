-- Shared part: the fence F of a name, and the token that comes next. Reads only.
-- A token is never below what F or the clock remember (lambda = 5 s behind), so a lost or expired
-- F cannot make tokens fall; and never far ahead of the clock (epsilon = 5 s), so that one client's
-- clock cannot poison the fence. A damaged F raises an error before any write.

local LAMBDA = 5000000
local EPSILON = 5000000

local function fence(key)
  local value = tonumber(call('GET', key) or '0')
  if not value then
    error('the fence of this lock is damaged')
  end
  return value
end

-- The token that comes next.
local function next_token(key, proposal, now)
  local floor = math.max(fence(key), now - LAMBDA)
  if floor < proposal and proposal <= now + EPSILON then
    return proposal
  end
  return floor + 1
end
