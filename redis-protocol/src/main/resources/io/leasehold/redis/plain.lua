-- Shared part: how grant serves a client that does not stand in a fair line. It does not see one,
-- either: K that is free is its own. It enters W if it wants to be woken, and only then is told who
-- else stands there.

local waiters, client, wants_wake = KEYS[3], ARGV[6], ARGV[7] == '1'
local guard_key, quarantine = KEYS[4], tonumber(ARGV[8] or '0')

local function busy(now, remaining)
  if wants_wake then
    enter(waiters, client, now)
  end
  return remaining
end

local function ahead()
  return nil
end

local function served()
  return wants_wake and others(waiters, client) or 0
end
