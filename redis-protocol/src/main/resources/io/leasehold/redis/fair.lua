-- fair(K, F, W, T, G; owner, ttl, proposal, notAfter, fenceRetention, client, place, quarantine)
--
-- Atomic: as grant, with the same answers, for a client that stands in a fair line (or, without a
-- place, behind it). BUSY is also the answer when K is free and it is another's turn, or becomes
-- so: then with what is left of the turn.
--
-- A turn is its client's: any of its places in line may take it. What is used up is the place whose
-- turn it is; so that the call which waits there loses nothing, it gets the place of the one that
-- was served. A call that comes just now has none to give, and goes to the end. A client that lets
-- its turn pass loses all its places: if it hangs, it would hold up the line once for each.

local waiters, turn, client = KEYS[3], KEYS[4], ARGV[6]
local guard_key, quarantine = KEYS[5], tonumber(ARGV[8] or '0')
local mine = ARGV[7] ~= '' and client .. '/' .. ARGV[7] or nil
local used

local function busy(now, remaining)
  if mine then
    enter(waiters, mine, now)
  end
  local _, whose = turn_of(turn)
  if whose == client then
    call('DEL', turn) -- it came, and could not be served: that is not letting it pass
  end
  return remaining
end

local function lapse(whose)
  local lost = {}
  for member in in_line(waiters) do
    if placed(member) == whose then
      lost[#lost + 1] = member
    end
  end
  drop(waiters, lost)
end

-- Milliseconds for which it is another's turn; nil when the asker is to be served.
local function ahead(now)
  local member, whose, stop = turn_of(turn)
  if member and (stop <= now or not call('ZSCORE', waiters, member)) then
    if stop <= now then
      lapse(whose)
    end
    call('DEL', turn)
    member = nil
  end
  local stands = mine and call('ZSCORE', waiters, mine)
  if not member then
    member, whose = choose(waiters, turn, KEYS[1], now, stands and client or '')
    stop = now + TURN_MILLIS * 1000
  end
  if member and not (stands and whose == client) then
    if mine then
      enter(waiters, mine, now)
    end
    -- A clock that was set back does not make a turn longer.
    return math.max(1, math.min(TURN_MILLIS, math.ceil((stop - now) / 1000)))
  end
  used = member
  return nil
end

local function served(now)
  redis.pcall('DEL', turn)
  if used and used ~= mine then
    local score = redis.pcall('ZSCORE', waiters, mine)
    if type(score) == 'string' then
      redis.pcall('ZADD', waiters, 'XX', score, used)
    end
  end
  return others(waiters, mine or client)
end
