#!lua flags=no-writes
-- Lists emails of an inbox without those that are held back, newest first.
--
-- KEYS[1] the inbox's emails
-- KEYS[2] up to which receivedAt they are shown; not there where none is held back
-- ARGV[1] from where on back, as ZRANGE takes it: "+inf", a receivedAt, or "(" and one that is no longer listed
-- ARGV[2] down to where, likewise
-- ARGV[3] at most so many
--
-- Answers members, each followed by its receivedAt.

local from, upTo = ARGV[1], redis.call('GET', KEYS[2])
if upTo then
  -- In one script with the list, or a failover could come between the two.
  local first = tonumber((string.gsub(from, '^%(', '')))
  if from == '+inf' or first > tonumber(upTo) then from = upTo end
end
return redis.call('ZRANGE', KEYS[1], from, ARGV[2], 'BYSCORE', 'REV', 'LIMIT', 0, ARGV[3], 'WITHSCORES')
