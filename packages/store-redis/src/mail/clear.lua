#!lua flags=allow-oom
-- Hides an inbox's emails and notes in the expiry index that they are to be purged, at a constant cost.
--
-- KEYS[1] the expiry index of this slot
-- KEYS[2] the inbox's emails
-- KEYS[3] where its emails stand from now on: a new key
-- ARGV[1] now
-- ARGV[2] the member of the expiry index that has KEYS[3] purged
--
-- Answers how many emails that were.

local count = redis.call('ZCARD', KEYS[2])
if count == 0 then return 0 end
redis.call('RENAME', KEYS[2], KEYS[3])
redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
return count
