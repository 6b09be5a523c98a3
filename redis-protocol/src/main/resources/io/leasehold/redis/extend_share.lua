-- extend_share(M1, forced1, F1, M2, ...; fenceRetention, owner1, ttl1, owner2, ttl2, ...)
--
-- Atomic for each: pushes out the end of one who holds something together with others, only if it
-- still does, and nobody else's. Never creates anything. One that fails does not fail the others:
-- its error is its answer.
--
--   now, then for each: EXTENDED | ABSENT | FORCED | ERROR:<the server's words>

local function extend(members, forced_key, owner, ttl, now)
  if not live(members, owner, now) then
    return share_loss(members, forced_key, owner, now)
  end
  put(members, owner, now + tonumber(ttl) * 1000, now)
  return 'EXTENDED'
end
