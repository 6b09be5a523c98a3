-- Shared part: how grant serves a client that does not stand in a fair line. It does not see one,
-- either: K that is free is its own.

local function busy(now, remaining)
  if ARGV[8] == '1' then
    enter(KEYS[4], ARGV[7], now)
  end
  return remaining
end

local function ahead()
  return nil
end

local function served()
  return others(KEYS[4], ARGV[7])
end
