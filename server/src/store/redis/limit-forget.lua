#!lua flags=allow-oom
-- Forgets a name that was counted, or who holds a place.
--
-- KEYS[1] the names, or who holds one: a sorted set
-- ARGV[1] which
--
-- Answers 1, or 0 where it was not there.

return redis.call('ZREM', KEYS[1], ARGV[1])
