-- Shared part: wake one waiting client of a name that has just become free.
-- W is a sorted set of client ids by the server's milliseconds at which they entered. Each client
-- listens on a channel of its own, and PUBLISH tells whether anybody heard: a silent client is
-- skipped, and dropped once it has been in the line for 30 s (it may be between two connections).
-- At most 16 are tried, so that a release stays short. Errors are swallowed: whoever calls this has
-- freed the lock already, and must answer so; a lost wake-up only costs the waiter time.

local TRIES = 16
local SILENT_MILLIS = 30000

local function wake_one(waiters, name, now)
  local line = redis.pcall('ZRANGE', waiters, 0, TRIES - 1, 'WITHSCORES')
  if line.err then
    return
  end
  for i = 1, #line, 2 do
    local heard = redis.pcall('PUBLISH', 'leasehold:wake:' .. line[i], name)
    if type(heard) == 'number' and heard > 0 then
      redis.pcall('ZREM', waiters, line[i])
      return
    end
    if now / 1000 - tonumber(line[i + 1]) > SILENT_MILLIS then
      redis.pcall('ZREM', waiters, line[i])
    end
  end
end
