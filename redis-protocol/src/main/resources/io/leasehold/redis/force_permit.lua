-- force_permit(S, W, forced;)
--
-- Atomic: takes all permits away, leaves a mark for each from which its owner will learn why, and
-- wakes one waiting client; that one, when it is served, the next.
--
--   RELEASED, now, woke    whether there was one: 1 or 0
--   ABSENT, now            no permit was held

local function given_back(now)
  local _, client = choose(KEYS[2], '', KEYS[2], now)
  return client
end
