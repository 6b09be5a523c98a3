-- Shared part: how commands are called, the server's clock, and how numbers leave a script.
-- Microseconds since 1970 are exact in a double until the year 2255. Numbers leave as '%.0f' text,
-- because tostring would give 1.7e+15.

-- A server does not say which command of a script its user may not run, nor what else has the name
-- of a lock: this does.
local function call(...)
  local reply = redis.pcall(...)
  if type(reply) == 'table' and reply.err then
    if string.find(reply.err, "can't run this command", 1, true) then
      reply.err = "NOPERM this user has no permissions to run the '" .. string.lower((...))
        .. "' command inside a script"
    elseif string.find(reply.err, '^WRONGTYPE')
      and redis.pcall('TYPE', (select(2, ...))).ok == 'hash' then
      reply.err = "WRONGTYPE the key of this lock is a hash, as of Redisson's RLock"
        .. ' (layout=redisson): all its clients need one layout'
    end
    -- Redis 7 throws a table, Redis 6 a string.
    error(redis.REDIS_VERSION_NUM and reply or reply.err, 0)
  end
  return reply
end

local function text(number)
  return string.format('%.0f', number)
end

local function micros()
  local time = call('TIME')
  return tonumber(time[1]) * 1000000 + tonumber(time[2])
end
