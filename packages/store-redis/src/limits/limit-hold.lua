#!lua
-- Leases a place, unless all are taken.
--
-- KEYS[1] the holders of places by when their leases end: a sorted set
-- ARGV[1] the holder
-- ARGV[2] the number of places
-- ARGV[3] the length of the lease in milliseconds
--
-- Answers 1, or 0 where no place is left.

local lease = tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], string.format('%.0f', now + lease), ARGV[1])
redis.call('PEXPIRE', KEYS[1], lease)
return 1
