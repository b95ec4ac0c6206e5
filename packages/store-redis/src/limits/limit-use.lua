#!lua
-- Counts a use within a sliding window, unless there have been as many as it allows. Uses are remembered in batches,
-- each with the time of its last one.
--
-- KEYS[1] the batches, oldest first: a list of "TIME USES"
-- ARGV[1] how many uses the window allows
-- ARGV[2] how long it is, in milliseconds
-- ARGV[3] how many uses a batch has
--
-- Answers 0 when the use was counted, and otherwise in how many milliseconds the next one may be.

local count, window, size = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local batches = redis.call('LRANGE', KEYS[1], 0, -1)
local uses, gone, first, last, lastUses = 0, 0, nil, nil, nil
for number, batch in ipairs(batches) do
  local at, of = string.match(batch, '^(%d+) (%d+)$')
  at, of = tonumber(at), tonumber(of)
  if at <= now - window then
    gone = number
  else
    uses, first, last, lastUses = uses + of, first or at, at, of
  end
end
if first and uses >= count then return math.min(math.max(first + window - now, 1), window) end

if gone > 0 then redis.call('LTRIM', KEYS[1], gone, -1) end
-- The clock of another server, or of this one before it was set right, may have been ahead: the list stays in order.
local at = string.format('%.0f', math.max(now, last or now))
if lastUses and lastUses < size then
  redis.call('LSET', KEYS[1], -1, at .. ' ' .. lastUses + 1)
else
  redis.call('RPUSH', KEYS[1], at .. ' 1')
end
redis.call('PEXPIRE', KEYS[1], window)
return 0
