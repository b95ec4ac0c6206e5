#!lua
-- Takes a place for a while, unless as many are taken as there are.
--
-- KEYS[1] who holds a place, by when it is over: a sorted set
-- ARGV[1] who takes one
-- ARGV[2] how many there are
-- ARGV[3] for how many milliseconds
--
-- Answers 1 when the place is taken, 0 when there is none.

local lease = tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], string.format('%.0f', now + lease), ARGV[1])
redis.call('PEXPIRE', KEYS[1], lease)
return 1
