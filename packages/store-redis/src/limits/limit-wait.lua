#!lua flags=no-writes
-- Tells what limit-use.lua would answer, and counts nothing. It answers where memory is full, too.
--
-- KEYS[1] the batches, oldest first: a list of "TIME USES"
-- ARGV[1] how many uses the window allows
-- ARGV[2] how long it is, in milliseconds
--
-- Answers 0 when a use would be counted, and otherwise in how many milliseconds the next one may be.

local count, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local uses, first = 0, nil
for _, batch in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  local at, of = string.match(batch, '^(%d+) (%d+)$')
  if tonumber(at) > now - window then
    uses, first = uses + tonumber(of), first or tonumber(at)
  end
end
if not first or uses < count then return 0 end
return math.min(math.max(first + window - now, 1), window)
