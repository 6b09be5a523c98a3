-- transfer(K, F, W, T, forced, G; from, to, ttl, proposal, fenceRetention, client, quarantine)
--
-- Atomic: hands K from one owner to the next and lifts F to the token, both or neither. K that is
-- to's already is a replay: it gets a larger token. While guarded nothing is handed on: K is
-- released, and one waiting client woken, or given its turn. Without a guard there is neither G nor
-- a quarantine.
--
--   GRANTED, now, token, longest, others    the longest quarantine that any client asked for, and
--                                           how many others wait
--   GUARDED, now, remaining                 released
--   ABSENT | TAKEN | FORCED, now            not from's: nothing was changed

local now = micros()
local held = call('GET', KEYS[1])
if held ~= ARGV[1] and held ~= ARGV[2] then
  return {loss(held, KEYS[5], ARGV[1]), text(now)}
end
local remaining, longest = guarded(KEYS[6], tonumber(ARGV[7] or '0'), now)
if remaining > 0 then
  call('DEL', KEYS[1])
  choose(KEYS[3], KEYS[4], KEYS[1], now)
  return {'GUARDED', text(now), text(remaining)}
end
local token = next_token(KEYS[2], tonumber(ARGV[4]), now)
call('SET', KEYS[2], text(token), 'PX', ARGV[5])
call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return {'GRANTED', text(now), text(token), text(longest), others(KEYS[3], ARGV[6])}
