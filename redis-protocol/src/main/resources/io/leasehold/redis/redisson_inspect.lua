-- redisson_inspect(K; channel, clustered)
--
-- Atomic, and changes nothing. Who waits is who listens: on a cluster, ours in both ways.
--
--   INSPECTED, now, the holder or nil, remaining (-1: no expiry, -2: no lock), waiters

local function listeners(how)
  local counts = redis.pcall('PUBSUB', how, ARGV[1])
  return type(counts) == 'table' and tonumber(counts[2]) or 0
end

local now = micros()
local kind = call('TYPE', KEYS[1]).ok
if kind ~= 'hash' and kind ~= 'none' then
  return other_layout(KEYS[1], kind, 'redisson')
end
local waiters = listeners('NUMSUB')
if ARGV[2] == '1' then
  waiters = math.max(waiters, listeners('SHARDNUMSUB'))
end
return {
  'INSPECTED',
  text(now),
  kind == 'hash' and call('HKEYS', KEYS[1])[1],
  call('PTTL', KEYS[1]),
  waiters,
}
