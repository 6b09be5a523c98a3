-- Shared part: the line W of those who wait for a name.
-- W is a sorted set by the server's microseconds at which they entered. A member is a client, who
-- wants to be woken; or <client>/<place>, a place of a fair line: one call of that client; or
-- <client>*<set>, a client that wants to be woken for a set of locks. Client ids have neither.

-- Whoever is in line already keeps its place. The expiry clears the line of a name nobody uses.
local function enter(waiters, member, now)
  if call('ZADD', waiters, 'NX', text(now), member) == 1 then
    local last = call('ZRANGE', waiters, -1, -1, 'WITHSCORES')
    if last[1] ~= member then -- a clock that was set back lets nobody in before the others
      call('ZADD', waiters, text(tonumber(last[2]) + 1), member)
    end
  end
  call('PEXPIRE', waiters, 600000)
end
