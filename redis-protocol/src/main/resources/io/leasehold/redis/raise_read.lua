-- raise_read(R, F, G, B; owner, token, fenceRetention, quarantine)
--
-- Atomic: as raise, with the same answers, for a reader. That another reader has lifted F further is
-- no reason to refuse: token must be above every writer's, and no writer came since the first of
-- these readers did, before whom F was B.

local function has(key, owner, now)
  return live(key, owner, now)
end

local function limit(standing)
  return tonumber(call('GET', KEYS[4]) or '') or standing - 1
end
