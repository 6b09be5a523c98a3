-- redisson_release(K; owner, channel, clustered, own)
--
-- Atomic: deletes K only if it is still owner's, and then tells everybody who waits for it, in
-- Redisson's way. On a cluster Redisson's clients listen to the shard, if the server knows shards,
-- unless they are told not to: both ways, then.
--
--   RELEASED, now, heard    how many connections were told, beside the caller's own, as far as this
--                           server knows
--   ABSENT | TAKEN, now     not owner's: nothing was changed

local UNLOCKED = '0'

local now = micros()
local mine, kind = holds(KEYS[1], ARGV[1])
if not mine then
  return {loss(kind), text(now)}
end
call('DEL', KEYS[1])
-- The lock is free, and that must be answered: whoever is not told asks when its time is up.
local heard = redis.pcall('PUBLISH', ARGV[2], UNLOCKED)
heard = type(heard) == 'number' and heard or 0
if ARGV[3] == '1' then
  local shard = redis.pcall('SPUBLISH', ARGV[2], UNLOCKED)
  heard = heard + (type(shard) == 'number' and shard or 0)
end
return {'RELEASED', text(now), math.max(0, heard - tonumber(ARGV[4]))}
