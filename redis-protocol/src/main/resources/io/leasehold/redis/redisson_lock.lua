-- Shared part: a lock as Redisson's RLock keeps it. K is a hash with one field, the holder, whose
-- value counts how often it has entered; K's expiry is the end of the lock. A Redisson holder is
-- <uuid of its client>:<thread id>; ours is an owner id, which has no colon, so neither side ever
-- takes the other's for its own. Ours enters once. Reads only.

-- Whether owner has it, and what TYPE says.
local function holds(key, owner)
  local kind = call('TYPE', key).ok
  return kind == 'hash' and call('HEXISTS', key, owner) == 1, kind
end

local function loss(kind)
  return kind == 'none' and 'ABSENT' or 'TAKEN'
end
