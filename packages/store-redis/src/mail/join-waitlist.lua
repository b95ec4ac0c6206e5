#!lua
-- Puts an address on the waitlist, once.
--
-- KEYS[1] the addresses that are on it: a set
-- KEYS[2] its entries in the order of joining: a list
-- ARGV[1] the address
-- ARGV[2] its entry
--
-- Answers 1, or 0 where it was there.

if redis.call('SADD', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('RPUSH', KEYS[2], ARGV[2])
return 1
