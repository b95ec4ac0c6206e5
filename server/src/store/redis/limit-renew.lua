#!lua flags=allow-oom
-- Prolongs places. One that was forgotten meanwhile is taken again, also above what there are: whoever holds it has it.
-- Also where memory is full: there are no more of them than streams that are open.
--
-- KEYS[1] who holds a place, by when it is over: a sorted set
-- ARGV[1] for how many milliseconds from now on
-- ARGV[2…] whose places
--
-- Answers how many that are.

local lease = tonumber(ARGV[1])
local time = redis.call('TIME')
local untilTime = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + lease)
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], untilTime, ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], lease)
return #ARGV - 1
