-- Shared part: a lock of SETNX/GETSET code. K is a string, the milliseconds since 1970 at which the
-- lock ends; it is held until that is past, on the clock of whoever looks: here, the server's.
-- K does not tell who has it. For ours, C does: <the value that we gave K> <owner>. Other code
-- overwrites K without knowing C, and takes K's expiry away with it (GETSET), so K is ours only
-- while it has our value and an expiry. Reads only, but for keep.

local LEFTOVER_MILLIS = 1000 -- how long K outlives its time stamp

local function millis(now)
  return math.floor(now / 1000)
end

-- What K holds if somebody has it (of a key that is no such lock: its type), and whether that is
-- owner.
local function holds(lock, claim, owner, now)
  local kind = call('TYPE', lock).ok
  if kind ~= 'string' then
    return kind ~= 'none' and kind or nil, false
  end
  local value = call('GET', lock)
  if not value or not is_time_stamp(value) or tonumber(value) < millis(now) then
    return nil, false
  end
  local mine = call('GET', claim) == value .. ' ' .. owner and call('PTTL', lock) >= 0
  return value, mine
end

local function loss(value)
  return value and 'TAKEN' or 'ABSENT'
end

-- Gives K to owner until ttl milliseconds from now have passed. Those clients add one, and so does
-- whoever looks: the lock is held while its end is not past. The claim goes first: alone it means
-- nothing.
local function keep(lock, claim, owner, ttl, now)
  local value = text(millis(now) + ttl)
  local life = text(ttl + LEFTOVER_MILLIS)
  call('SET', claim, value .. ' ' .. owner, 'PX', life)
  call('SET', lock, value, 'PX', life)
end
