#!lua flags=allow-oom
-- Hides one email of an inbox, and notes in the expiry index that it is to be purged.
--
-- KEYS[1] the expiry index of this slot
-- KEYS[2] the inbox's emails
-- KEYS[3] where the email stands from now on: a new key
-- KEYS[4] up to which receivedAt its emails are shown; not there where none is held back
-- ARGV[1] now
-- ARGV[2] its receivedAt
-- ARGV[3] the member of the expiry index that has KEYS[3] purged
--
-- Answers 1, or 0 where the inbox shows no such email.

local now, receivedAt = tonumber(ARGV[1]), tonumber(ARGV[2])
local shown = redis.call('GET', KEYS[4])
if shown and receivedAt > tonumber(shown) then return 0 end
local found = redis.call('ZRANGE', KEYS[2], ARGV[2], ARGV[2], 'BYSCORE')
if #found == 0 then return 0 end
if receivedAt + tonumber(string.match(found[1], '^%S+ (%S+)'), 36) <= now then return 0 end
local deleteAt = redis.call('PEXPIRETIME', KEYS[2])
redis.call('ZREM', KEYS[2], found[1])
redis.call('ZADD', KEYS[3], ARGV[2], found[1])
if deleteAt > 0 then redis.call('PEXPIREAT', KEYS[3], string.format('%.0f', deleteAt)) end
redis.call('ZADD', KEYS[1], ARGV[1], ARGV[3])
return 1
