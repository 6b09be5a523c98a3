-- Shared part: who this server is. Reads only.
-- The run id changes with every restart, the replication id with every promotion, also of a server
-- that was demoted and promoted again without a restart. The second replication id is what the
-- first was before a promotion, and zeros on a server that was never promoted, or (Redis 6) was
-- promoted while it copied another and has got a replica since. Two calls, because Redis 6 takes
-- one section at a time.

local NEVER = string.rep('0', 40)

local function info()
  return call('INFO', 'server'), call('INFO', 'replication')
end

-- Whether a server that tells this is still the one that is known. Plain finds: a pattern for each
-- field would cost more than the two calls.
local function is_same(server, replication, run, repl)
  return run and repl
    and string.find(server, '\nrun_id:' .. run .. '\r', 1, true)
    and string.find(replication, '\nmaster_replid:' .. repl .. '\r', 1, true)
end

local function identity(server, replication)
  local self = {
    run = string.match(server, '\nrun_id:(%w+)'),
    repl = string.match(replication, '\nmaster_replid:(%w+)'),
    before = string.match(replication, '\nmaster_replid2:(%w+)'),
    -- Negative once the clock was set back.
    uptime = tonumber(string.match(server, '\nuptime_in_seconds:(-?%d+)')),
  }
  self.forgets = (tonumber(string.match(server, '\nredis_version:(%d+)')) or 0) < 7
  if not (self.run and self.repl and self.before and self.uptime) then
    error('the server does not tell who it is')
  end
  return self
end
