-- Shared part: those who hold something together. A sorted set: owner ids, each by the end of its
-- lease in the server's microseconds. Each ends on its own; the key itself ends with the last.

local function live(members, owner, now)
  local stop = call('ZSCORE', members, owner)
  return stop and tonumber(stop) > now
end

-- How many there are, once those that have ended are gone.
local function count(members, now)
  call('ZREMRANGEBYSCORE', members, '-inf', text(now))
  return call('ZCARD', members)
end

-- Milliseconds until the end of the first (0) or the last (-1), of those that have not ended.
local function left(members, which, now)
  local found = call('ZRANGE', members, which, which, 'WITHSCORES')
  return math.max(1, math.ceil((tonumber(found[2] or '0') - now) / 1000))
end

-- Lets owner be one of them until then. Nobody is let in without the key's expiry.
local function put(members, owner, stop, now)
  local before = call('ZSCORE', members, owner)
  call('ZADD', members, text(stop), owner)
  local lasts = text(left(members, -1, now) + 1)
  if type(redis.pcall('PEXPIRE', members, lasts)) ~= 'number' then
    if before then
      redis.pcall('ZADD', members, before, owner)
    else
      redis.pcall('ZREM', members, owner)
    end
    call('PEXPIRE', members, lasts) -- tells why
    error('the end of a lease could not be set')
  end
end

-- Why owner is none of them. An operator's marks are kept in the same way.
local function share_loss(members, marks, owner, now)
  return marks ~= members and live(marks, owner, now) and 'FORCED' or 'ABSENT'
end
