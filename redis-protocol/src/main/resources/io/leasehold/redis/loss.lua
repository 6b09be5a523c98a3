-- Shared part: why a lock is not an owner's. Reads only.
-- An operator's mark is asked first: the lock may be absent or another's by now, and the reason
-- is the operator all the same.

local function loss(held, forced_key, owner)
  if call('GET', forced_key) == owner then
    return 'FORCED'
  end
  return held and 'TAKEN' or 'ABSENT'
end
