#!lua
-- Counts a name within a sliding window, once however often it comes, unless there have been as many as the window allows.
--
-- KEYS[1] the names by when each was counted: a sorted set
-- ARGV[1] the name
-- ARGV[2] how many names the window allows
-- ARGV[3] how long it is, in milliseconds
--
-- Answers 0 when the name is counted, and otherwise in how many milliseconds the next one may be.

local count, window = tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - window))
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 0 end
if redis.call('ZCARD', KEYS[1]) >= count then
  local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  return math.min(math.max(tonumber(first[2]) + window - now, 1), window)
end
redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[1])
redis.call('PEXPIRE', KEYS[1], window)
return 0
