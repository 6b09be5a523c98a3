-- end_read(R, reading, forced, writer, writing, pending; owner, client, yielding)
--
-- Atomic: ends a reader, only if it still is one. The last one wakes a writer. A client that yields
-- wants to read again, and stands in line then.
--
--   RELEASED, now, woke    whether another client was: 1 or 0
--   ABSENT | FORCED, now   not a reader: nothing was changed

local function given_back(now)
  if call('EXISTS', KEYS[4]) == 1 then
    return nil
  end
  local rw = {readers = KEYS[1], reading = KEYS[2], writing = KEYS[5], pending = KEYS[6]}
  return reader_left(rw, now)
end
