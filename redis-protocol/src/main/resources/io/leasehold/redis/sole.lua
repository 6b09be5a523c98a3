-- Shared part: a lock that one owner has. Reads only.

local function has(key, owner)
  return call('GET', key) == owner
end

-- What a token to which F is raised must exceed.
local function limit(standing)
  return standing - 1
end
