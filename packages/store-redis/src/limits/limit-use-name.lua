#!lua
-- Counts a name, once however often it comes while it is remembered, unless the client has used up its names. It has so
-- many at once, and as many more, evenly, in each window: a name that is counted leaves one share of the window after
-- the one before it.
--
-- KEYS[1] the names by when each leaves: a sorted set
-- ARGV[1] the name
-- ARGV[2] how many names there are in a window
-- ARGV[3] how long that is, in milliseconds
--
-- Answers 0 when the name is counted, and otherwise in how many milliseconds the next one may be.

local count, window = tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 0 end
local share = window / count
if redis.call('ZCARD', KEYS[1]) >= count then
  local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  return math.min(math.max(math.ceil(tonumber(first[2]) - now), 1), window)
end
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
-- The clock of another server may have been ahead: no name is remembered for longer than a window.
local leaves = math.min(math.max(last[2] and tonumber(last[2]) or now, now) + share, now + window)
redis.call('ZADD', KEYS[1], string.format('%.3f', leaves), ARGV[1])
redis.call('PEXPIRE', KEYS[1], math.ceil(leaves - now) + 1)
return 0
