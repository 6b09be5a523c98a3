-- vouch(G; quarantine)
--
-- Atomic: somebody knows that no lease of this server can be alive that it has lost; so it may
-- grant at once.
--
--   VOUCHED, now

local now = micros()
local self = identity()
local stored = tonumber(call('HGET', KEYS[1], 'quarantine') or '0') or 0
call('HSET', KEYS[1], 'run', self.run, 'repl', self.repl, 'quarantine',
  text(math.max(stored, tonumber(ARGV[1]))), 'until', '0', 'layout', 'distlock')
return {'VOUCHED', text(now)}
