-- Shared part: an error as the answer for one of several locks. Redis 7 throws a table, Redis 6 a
-- string.

local function failure(thrown)
  return 'ERROR:' .. (type(thrown) == 'table' and thrown.err or tostring(thrown))
end
