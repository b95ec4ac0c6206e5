#!lua flags=allow-oom
-- Hides one email of an inbox, and notes that it is to be forgotten.
--
-- KEYS[1] what is due in this slot
-- KEYS[2] the inbox's emails
-- KEYS[3] where the email stands from now on: a new key
-- ARGV[1] now
-- ARGV[2] its receivedAt
-- ARGV[3] the member among what is due that says to forget KEYS[3]
--
-- Answers 1, or 0 where the inbox shows no such email.

local now, receivedAt = tonumber(ARGV[1]), tonumber(ARGV[2])
local found = redis.call('ZRANGE', KEYS[2], ARGV[2], ARGV[2], 'BYSCORE')
if #found == 0 then return 0 end
if receivedAt + tonumber(string.match(found[1], '^%S+ (%S+)'), 36) <= now then return 0 end
local deleteAt = redis.call('PEXPIRETIME', KEYS[2])
redis.call('ZREM', KEYS[2], found[1])
redis.call('ZADD', KEYS[3], ARGV[2], found[1])
if deleteAt > 0 then redis.call('PEXPIREAT', KEYS[3], string.format('%.0f', deleteAt)) end
redis.call('ZADD', KEYS[1], ARGV[1], ARGV[3])
return 1
