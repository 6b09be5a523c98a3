-- raise_share(M, F, G; owner, token, fenceRetention, quarantine)
--
-- Atomic: as raise, with the same answers, for one of several who hold something together.

local function has(key, owner, now)
  return live(key, owner, now)
end

local function limit(standing)
  return standing - 1
end
