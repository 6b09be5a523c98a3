-- Shared part: the server's clock and how numbers leave a script.
-- Microseconds since 1970 are exact in a double until the year 2255. Numbers leave as '%.0f' text,
-- because tostring would give 1.7e+15.

local function text(number)
  return string.format('%.0f', number)
end

local function micros()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000000 + tonumber(time[2])
end
