#!lua flags=allow-oom
-- Gives back a name that was counted, or ends a lease.
--
-- KEYS[1] the names, or the holders: a sorted set
-- ARGV[1] the name or the holder
--
-- Answers 1, or 0 where it was not there.

return redis.call('ZREM', KEYS[1], ARGV[1])
