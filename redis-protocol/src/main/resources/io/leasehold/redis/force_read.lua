-- force_read(R, reading, forced, writer, writing, pending;)
--
-- Atomic: takes the lock away from all readers, leaves a mark for each from which it will learn
-- why, and wakes a writer.
--
--   RELEASED, now, woke    whether there was one: 1 or 0
--   ABSENT, now            there are no readers

local function given_back(now)
  local rw = {readers = KEYS[1], reading = KEYS[2], writing = KEYS[5], pending = KEYS[6]}
  return reader_left(rw, now)
end
