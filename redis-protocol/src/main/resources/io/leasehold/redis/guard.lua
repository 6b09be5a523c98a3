-- Shared part: the guard G. It remembers which server, in which life, has granted locks, and how
-- long the longest quarantine is that any client asked for.
--   run, repl     the identity under which grants were given
--   quarantine    milliseconds
--   until         on the server's clock, in microseconds: no grant before
--   layout        how the locks are laid out
-- A server that finds another identity in G (or none) may have lost leases that are still alive: it
-- restarted, was restored, or was promoted before it had them. It grants nothing until they have
-- ended. A replication id that changed on a server that was never promoted is harmless: a first
-- replica came, or the backlog was freed. But Redis 6 may forget that it was promoted, so there it
-- counts like any other change. Comparing and granting are one atomic step, so there is no moment
-- to slip through.

local LAYOUT = 'distlock'
local LONGEST_LIFE = 10 * 365 * 86400 -- seconds; an uptime above is a clock that was set

local function remember(key, self, quarantine, stop)
  call('HSET', key, 'run', self.run, 'repl', self.repl, 'quarantine', text(quarantine),
    'until', text(stop), 'layout', LAYOUT)
end

-- Milliseconds for which nothing may be granted, and the longest quarantine that is known.
local function guarded(key, quarantine, now)
  if quarantine == 0 then
    return 0, 0
  end
  local server, replication = info()
  local seen = call('HMGET', key, 'run', 'repl', 'quarantine', 'until', 'layout')
  if seen[5] and seen[5] ~= LAYOUT then
    error('LAYOUT the locks on this server have the layout ' .. seen[5])
  end
  local stored = tonumber(seen[3] or '0')
  local stop = tonumber(seen[4] or '0')
  local longest = math.max(quarantine, stored or 0)
  if not stored or not stop or stored ~= stored or stop ~= stop then -- nan is not equal to itself
    error('the guard of this server is damaged')
  end

  local before = stop
  local same = is_same(server, replication, seen[1], seen[2])
  local self = same and {run = seen[1], repl = seen[2]} or identity(server, replication)
  local promoted = not same and seen[2] ~= self.repl and (self.before ~= NEVER or self.forgets)
  if seen[1] ~= self.run or promoted then
    local left = longest * 1000
    if not seen[1] and self.before == NEVER and self.uptime >= 0
      and self.uptime < LONGEST_LIFE then
      -- Nobody was here, and it was never another's replica: only a restart can have lost leases.
      left = left - self.uptime * 1000000
    end
    stop = now + math.max(0, left)
  elseif stop > now then
    -- A client with longer leases came while it lasts; and a clock that was set back does not
    -- make it longer.
    stop = math.min(stop + (longest - stored) * 1000, now + longest * 1000)
  end
  if seen[1] ~= self.run or seen[2] ~= self.repl or longest ~= stored or stop ~= before then
    remember(key, self, longest, stop)
  end
  return math.max(0, math.ceil((stop - now) / 1000)), longest
end
