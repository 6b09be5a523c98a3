-- grant_all(K1, F1, W1, T1, K2, ..., G; owner, ttl, proposal, notAfter, fenceRetention, quarantine,
--   member, enter)
--
-- Atomic: gives all locks to owner, each with its expiry, and lifts all fences to one token that is
-- above each of them; or none, and changes nothing but the guard and the lines of waiters. A
-- repeated grant gives a larger token. The answers are those of grant.
--
-- BUSY means that another owner has one of the locks. Member, that is this client with this set,
-- stands in the line of the first of them, if enter. It may have been woken for another one that is
-- free: so for each that is, and where it is nobody's turn, the next is woken.

local guard_key, member = KEYS[#KEYS], ARGV[7]
local now = micros()
if now > tonumber(ARGV[4]) then
  return {'EXPIRED', text(now)}
end

local remaining, longest = guarded(guard_key, tonumber(ARGV[6]), now)
if remaining > 0 then
  return {'GUARDED', text(now), text(remaining)}
end

local free, taken = {}, nil
for i = 1, #KEYS - 1, 4 do
  local held = call('GET', KEYS[i])
  if not held then
    free[#free + 1] = i
  elseif held ~= ARGV[1] then
    taken = taken or i
  end
end

if taken then
  local left = call('PTTL', KEYS[taken])
  if ARGV[8] == '1' then
    enter(KEYS[taken + 2], member, now)
  end
  for _, i in ipairs(free) do
    redis.pcall('ZREM', KEYS[i + 2], member)
    local whose, _, stop = turn_of(KEYS[i + 3])
    if not (whose and stop > now) then
      choose(KEYS[i + 2], KEYS[i + 3], KEYS[i], now)
    end
  end
  return {'BUSY', text(now), left}
end

local token = 0
for i = 1, #KEYS - 1, 4 do
  token = math.max(token, next_token(KEYS[i + 1], tonumber(ARGV[3]), now))
end
local waiting = 0
for i = 1, #KEYS - 1, 4 do
  call('SET', KEYS[i + 1], text(token), 'PX', ARGV[5])
  call('SET', KEYS[i], ARGV[1], 'PX', ARGV[2])
  waiting = math.max(waiting, others(KEYS[i + 2], member))
end
return {'GRANTED', text(now), text(token), text(longest), waiting}
