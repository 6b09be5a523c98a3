-- permit(S, F, G, W; owner, ttl, proposal, notAfter, fenceRetention, quarantine, client, enter,
--   permits)
--
-- Atomic: gives owner a permit in S, with an end of its own, while fewer than so many are held, and
-- lifts F to the token, both or neither; or changes nothing but the guard, the line of waiters and
-- permits that have ended. A repeated grant to a holder gives a larger token and a new end. The
-- answers are those of grant; BUSY has the time until the next permit ends.
--
-- Whoever is served while there are more permits wakes the next: several may have come back at
-- once, when their holders died, and nobody was told.

local function kept_out(holders, now)
  if holders < tonumber(ARGV[9]) then
    return nil
  end
  return left(KEYS[1], 0, now)
end

local function admits()
end

local function served(holders, now)
  local waiting = others(KEYS[4], ARGV[7])
  if waiting > 0 and holders < tonumber(ARGV[9]) then
    choose(KEYS[4], '', KEYS[4], now)
  end
  return waiting
end
