#!lua flags=no-writes
-- Finds entries of the expiry index, the last to expire first.
--
-- KEYS[1] the expiry index of this slot
-- ARGV[1] at most so many
-- ARGV[2] the score of the member behind which to go on; empty to begin with the last of all
-- ARGV[3] that member, which may be there no more
--
-- Answers members, each followed by its score. The cost grows neither with the index nor with what expires at once.

local index, score, member = KEYS[1], ARGV[2], ARGV[3]

-- Whether a member precedes another of the same score. Redis compares bytes; Lua's operator follows the locale.
local function isBefore(one, other)
  for at = 1, math.min(#one, #other) do
    local a, b = string.byte(one, at), string.byte(other, at)
    if a ~= b then return a < b end
  end
  return #one < #other
end

local low = 0
if score ~= '' then
  low = redis.call('ZCOUNT', index, '(' .. score, '+inf')
  local high = low + redis.call('ZCOUNT', index, score, score)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if isBefore(redis.call('ZRANGE', index, middle, middle, 'REV')[1], member) then high = middle else low = middle + 1 end
  end
end
return redis.call('ZRANGE', index, low, low + tonumber(ARGV[1]) - 1, 'REV', 'WITHSCORES')
