-- Shared part: which client of the line W comes next, for a name that is free.
-- Each client listens on a channel of its own, and PUBLISH returns how many listeners received the
-- message. The first client that receives it is chosen. A silent client is skipped; its entry is
-- removed once it is older than 30 s (the client may be between two connections). One run reads at
-- most 1,024 entries, so that a release stays short. If all of them are silent they are removed,
-- whatever their age, so that the next run reaches those behind. Errors are swallowed: the lock is
-- free by now, and that must be answered; a lost wake-up only costs time.
--
-- A client that is woken leaves the line. A place of a fair line stays, and has its turn, which T
-- holds: '<until, in microseconds> <member>'. A client that hears but hangs would let its turn pass
-- unnoticed: so the next two clients of the fair line are told to stand by, and ask when it must be
-- over.

local SILENT_MICROS = 30000000
local TURN_MILLIS = 1000
local LEFTOVER_MICROS = 2000000
local STAND_BY = 2
local STEP = 16 -- read at once
local LONGEST = 1024 -- not looked at beyond
local NEXT = 32 -- how far those who stand by may be behind

-- The client of a place; nil for a member that is a client.
local function placed(member)
  return string.match(member, '^([^/]*)/')
end

local function hears(client, message)
  local heard = redis.pcall('PUBLISH', 'leasehold:wake:' .. client, message)
  return type(heard) == 'number' and heard > 0
end

-- Iterates over (member, when it entered), in order. Nobody is to be removed meanwhile.
local function in_line(waiters)
  local from, part, at = 0, {}, 1
  return function()
    if at > #part and from < LONGEST then
      part, at = redis.pcall('ZRANGE', waiters, from, from + STEP - 1, 'WITHSCORES'), 1
      from = #part < 2 * STEP and LONGEST or from + STEP -- an error has no parts
    end
    at = at + 2
    return part[at - 2], tonumber(part[at - 1])
  end
end

local function drop(waiters, members)
  for _, member in ipairs(members) do
    redis.pcall('ZREM', waiters, member)
  end
end

-- Whose turn it is: member, client, until when; nil when it is nobody's.
local function turn_of(turn)
  local value = redis.pcall('GET', turn)
  if type(value) ~= 'string' then
    return nil
  end
  local stop, member = string.match(value, '^(%d+) (.*)$')
  local client = member and placed(member)
  if not client then
    return nil
  end
  return member, client, tonumber(stop)
end

local function stand_by(rest, client, name)
  local asked, told, seen = {[client] = true}, 0, 0
  for member in rest do
    seen = seen + 1
    local other = placed(member)
    if other and not asked[other] then
      asked[other] = true
      if hears(other, 'leasehold:standby:' .. name) then
        told = told + 1
      end
    end
    if told == STAND_BY or seen == NEXT then
      return
    end
  end
end

-- Gives the first that hears a wake-up, or its turn. For an asker in a fair line: only places count,
-- and reaching one of the asker's own ends the search without a word, because it is here. A client
-- that does not want the lock is passed over. The member that was chosen, and its client; nil when
-- there is none.
local function choose(waiters, turn, name, now, asker, unwilling)
  local silent, passed, gone, seen = {}, {}, {}, 0
  local rest = in_line(waiters)
  for member, entered in rest do
    seen = seen + 1
    local place = placed(member)
    local client = place or string.match(member, '^[^*]*')
    if place and place == asker then
      drop(waiters, gone)
      return member, client
    end
    if place or not asker then
      if client ~= unwilling then
        if not silent[client] and hears(client, name) then
          if place then
            redis.pcall('SET', turn, text(now + TURN_MILLIS * 1000) .. ' ' .. member,
              'PX', 600000)
            stand_by(rest, client, name)
          else
            gone[#gone + 1] = member
          end
          drop(waiters, gone)
          return member, client
        end
        silent[client] = true
        passed[#passed + 1] = member
      end
      if now - entered > SILENT_MICROS then
        gone[#gone + 1] = member
      end
    end
  end
  drop(waiters, seen == LONGEST and passed or gone)
  return nil
end
