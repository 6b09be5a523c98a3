-- vouch(G; quarantine)
--
-- Atomic: somebody knows that no lease of this server can be alive that it has lost; so it may
-- grant at once.
--
--   VOUCHED, now

local now = micros()
local stored = tonumber(call('HGET', KEYS[1], 'quarantine') or '0') or 0
remember(KEYS[1], identity(info()), math.max(stored, tonumber(ARGV[1])), 0)
return {'VOUCHED', text(now)}
