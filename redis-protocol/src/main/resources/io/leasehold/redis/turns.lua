-- Shared part: who of those that wait for a read-write lock comes next. Two lines, of clients that
-- wait to read and of those that wait to write; a client may be in both. What is sent to a client
-- is the key of the line, so it knows which.
--
-- P, pending, is there while a writer waits: the moment, in microseconds, from which readers that
-- come are kept out. When a writer leaves, all who wait to read are told and stay in line, and P
-- becomes a moment later: until then it is their turn, in which no writer is let in; and those who
-- stood in line before it are let in after it, too. Then the next writer comes. So neither side
-- starves, however many there are of the other.

local TURN_OF_READERS_MILLIS = 20
local MOST_READERS = 256

local function turn_ends(pending, now)
  local from = tonumber(call('GET', pending) or '')
  -- A clock that was set back does not make a turn longer.
  return from and from > now and from <= now + TURN_OF_READERS_MILLIS * 1000 and from or nil
end

-- Wakes those who wait to read, and gives them their turn. A client that was woken; another than
-- mine if there is one; nil when nobody heard. Only those that hear count towards the limit.
local function wake_readers(rw, mine, now)
  local told, heard, waiting, gone = nil, 0, false, {}
  for client, entered in in_line(rw.reading) do
    if heard == MOST_READERS then
      break
    end
    waiting = true
    if hears(client, rw.reading) then
      heard = heard + 1
      told = (told and told ~= mine) and told or client
    elseif now - entered > SILENT_MICROS then
      gone[#gone + 1] = client
    end
  end
  drop(rw.reading, gone)
  if told then
    local waits = math.max(call('PTTL', rw.pending), TURN_OF_READERS_MILLIS)
    call('SET', rw.pending, text(now + TURN_OF_READERS_MILLIS * 1000), 'PX', text(waits))
  elseif waiting then -- a reader that does not hear, and polls, has waited all the same
    call('SET', rw.pending, text(now), 'XX', 'KEEPTTL')
  end
  return told
end

local function wake_writer(rw, now, unwilling)
  local _, client = choose(rw.writing, '', rw.writing, now, nil, unwilling)
  return client
end

-- There is no writer any more. Who was told, as above.
local function writer_left(rw, mine, now)
  return wake_readers(rw, mine, now) or wake_writer(rw, now)
end

-- There may be no reader any more. Who was told; nil for nobody.
local function reader_left(rw, now)
  if count(rw.readers, now) > 0 then
    return nil
  end
  if turn_ends(rw.pending, now) and call('ZCARD', rw.reading) == 0 then
    if call('PTTL', rw.pending) > TURN_OF_READERS_MILLIS then
      call('SET', rw.pending, text(now), 'KEEPTTL') -- a writer waits
    else
      call('DEL', rw.pending)
    end
  end
  return wake_writer(rw, now)
end
