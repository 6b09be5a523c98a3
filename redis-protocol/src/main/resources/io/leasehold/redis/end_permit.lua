-- end_permit(S, W, forced; owner, client, yielding)
--
-- Atomic: gives a permit back, only if it is still owner's, and wakes one waiting client. A client
-- that yields wants another, and stands in line then, behind all others.
--
--   RELEASED, now, woke    whether that was another client: 1 or 0
--   ABSENT | FORCED, now   not a holder: nothing was changed

local function given_back(now)
  local _, client = choose(KEYS[2], '', KEYS[2], now)
  return client
end
