#!lua flags=allow-oom
-- Renews leases. One that has run out is given again, even above the number of places: its holder still uses it.
-- It runs where memory is full, too: there are no more leases than open streams.
--
-- KEYS[1] the holders of places by when their leases end: a sorted set
-- ARGV[1] milliseconds from now on
-- ARGV[2…] the holders
--
-- Answers how many that are.

local lease = tonumber(ARGV[1])
local time = redis.call('TIME')
local untilTime = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + lease)
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], untilTime, ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], lease)
return #ARGV - 1
