-- read(R, F, G, reading, writer, pending, writing, B; owner, ttl, proposal, notAfter, fenceRetention,
--   quarantine, client, enter)
--
-- Atomic: makes owner a reader of R, with an end of its own, and lifts F to the token, both or
-- neither; or changes nothing but the guard, the line of waiting readers and readers that have
-- ended. A repeated grant to a reader gives a larger token and a new end. The answers are those of
-- grant; BUSY means that there is a writer, or that one waits and the asker came after it.

local function kept_out(_, now)
  local writing = call('PTTL', KEYS[5])
  if writing ~= -2 then
    return writing
  end
  local from = tonumber(call('GET', KEYS[6]) or '')
  if not from or now < from then
    return nil
  end
  local entered = tonumber(call('ZSCORE', KEYS[4], ARGV[7]) or '')
  if entered and entered < from then
    return nil
  end
  return math.max(1, call('PTTL', KEYS[6]))
end

-- No writer comes while there are readers: so F as it is before the first of them is above every
-- writer's token for as long as there are any.
local function admits(readers)
  if readers == 0 then
    call('SET', KEYS[8], text(fence(KEYS[2])), 'PX', ARGV[5])
  else
    call('PEXPIRE', KEYS[8], ARGV[5])
  end
end

local function served()
  local writers = redis.pcall('ZCARD', KEYS[7])
  return others(KEYS[4], ARGV[7]) + (type(writers) == 'number' and writers or 0)
end
