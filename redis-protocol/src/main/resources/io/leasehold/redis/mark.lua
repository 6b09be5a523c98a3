-- Shared part: the mark from which an owner learns that an operator took its lock away.

-- It asks again before its lease would have ended; one minute covers a pause.
local function mark(key, owner, forced_key)
  local remaining = call('PTTL', key)
  call('SET', forced_key, owner, 'PX', text(remaining < 0 and 600000 or remaining + 60000))
end
