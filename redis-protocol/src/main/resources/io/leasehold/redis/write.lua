-- write(writer, F, G, writing, R, pending, reading; owner, ttl, proposal, notAfter, fenceRetention,
--   quarantine, client, enter)
--
-- Atomic: as grant, with the same answers, for the writer of a read-write lock. BUSY is also the
-- answer while there are readers, or while it is the turn of those who waited for the last writer.
-- Whoever waits keeps new readers out, for some seconds; it is told a time after which to ask
-- again that is shorter.

local WAITS_MILLIS = 5000
local guard_key, quarantine = KEYS[3], tonumber(ARGV[6])

local function busy(now, remaining)
  if ARGV[8] ~= '1' then
    return remaining
  end
  enter(KEYS[4], ARGV[7], now)
  if not call('SET', KEYS[6], text(now), 'NX', 'PX', WAITS_MILLIS) then
    call('PEXPIRE', KEYS[6], WAITS_MILLIS)
  end
  return remaining < 0 and WAITS_MILLIS / 2 or math.min(remaining, WAITS_MILLIS / 2)
end

local function ahead(now)
  if count(KEYS[5], now) > 0 then
    return busy(now, left(KEYS[5], -1, now))
  end
  local stop = turn_ends(KEYS[6], now)
  return stop and busy(now, math.ceil((stop - now) / 1000))
end

local function served()
  local writers = others(KEYS[4], ARGV[7])
  if writers == 0 then
    redis.pcall('DEL', KEYS[6])
  end
  local readers = redis.pcall('ZCARD', KEYS[7])
  return writers + (type(readers) == 'number' and readers or 0)
end
