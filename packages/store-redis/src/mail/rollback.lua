#!lua flags=allow-oom
-- Rolls back what a delivery has put into this slot, since another slot has refused it or could not be reached. What
-- else was done to its emails meanwhile stays done.
--
-- KEYS[1]  the expiry index of this slot
-- KEYS[2]  the tally of this slot: a hash of the bytes that everything costs, and of the emails
-- KEYS[3]  the message
-- KEYS[4…] of each inbox its emails
-- ARGV[1]  until when a delivery that comes only now is turned away; empty where it is known to have come
-- ARGV[2…] for each recipient three: the number of its inbox among the keys (from 1), its ordinal, and its member of
--         the index
--
-- Answers the number of emails that were rolled back.

local FIRST_RECIPIENT, PER_RECIPIENT, KEYS_BEFORE = 2, 3, 3
local function text(number)
  return string.format('%.0f', number)
end

local messageCost = string.match(redis.call('HGET', KEYS[3], 'a') or '', '^(%d+) ')
local bytes, emails = 0, 0
for at = FIRST_RECIPIENT, #ARGV, PER_RECIPIENT do
  local cost = redis.call('HGET', KEYS[3], 'e' .. ARGV[at + 1])
  local score = redis.call('ZSCORE', KEYS[1], ARGV[at + 2])
  if cost and score then
    local receivedAt = tonumber(score) - tonumber(string.match(ARGV[at + 2], '^e %S+ (%S+)'), 36)
    redis.call('ZREM', KEYS[1], ARGV[at + 2])
    redis.call('ZREMRANGEBYSCORE', KEYS[KEYS_BEFORE + tonumber(ARGV[at])], text(receivedAt), text(receivedAt))
    bytes, emails = bytes + tonumber(cost), emails + 1
  end
end
if messageCost then
  redis.call('DEL', KEYS[3])
  redis.call('HINCRBY', KEYS[2], 'bytes', text(-bytes - tonumber(messageCost)))
  redis.call('HINCRBY', KEYS[2], 'emails', -emails)
end
if ARGV[1] ~= '' then
  redis.call('HSET', KEYS[3], 'a', '')
  redis.call('PEXPIREAT', KEYS[3], ARGV[1])
end
return emails
