-- Shared part: what a key under a lock's name looks like to a client of another layout. Reads only.
-- All clients of a lock must use one layout: with two, each would be blind to the other's holders,
-- or overwrite them.

-- An end of a SETNX/GETSET lock: milliseconds since 1970, between the years 2001 and 5138. Fewer
-- digits would be seconds, and read as long past.
local function is_time_stamp(value)
  return #value >= 13 and #value <= 14 and not string.find(value, '%D')
end

local function looks(key, kind)
  if kind == 'hash' then
    return "is a hash, as of Redisson's RLock or of layout=redisson"
  elseif kind ~= 'string' then
    return 'is a ' .. kind .. ', which is no lock of any layout'
  elseif is_time_stamp(call('GET', key)) then
    return 'is a time stamp, as of SETNX/GETSET code or of layout=setnx'
  end
  return 'is a string, as of layout=distlock or of other clients of SET NX PX'
end

-- What a script answers that must not go on.
local function other_layout(key, kind, layout)
  return redis.error_reply('LAYOUT the key of this lock ' .. looks(key, kind)
    .. '; this client has layout=' .. layout
    .. '. All clients of a lock need the same layout: change it, or the name')
end
