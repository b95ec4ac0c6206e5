#!lua flags=allow-oom
-- Purges emails that were cleared or have expired, and the state of inboxes whose newest email would have expired. Each
-- is named as it was found a moment ago: what another node has purged meanwhile is passed over.
--
-- KEYS[1] the expiry index of this slot
-- KEYS[2] the tally of this slot: a hash of the bytes that everything costs, and of the emails
-- KEYS[3] the inbox's emails that were cleared together; KEYS[1] again where nothing was cleared
-- KEYS[4…] as below
-- ARGV[1] purges what has expired up to this time
-- ARGV[2] how long after a deadline Redis itself deletes what nobody has deleted
-- ARGV[3] the member of the index that has KEYS[3] purged; empty where nothing was cleared
-- ARGV[4…] of each thing five, with two keys:
--         "e", the email's member of the index, its ordinal, what it costs where its message is gone, "": the message,
--         and
--              the inbox's emails
--         "c", the same of an email that was cleared, with its member of KEYS[3] at the end: the message, and KEYS[3]
--         "s", the inbox's member of the index, "", "", "": the inbox's emails and its state
--
-- Answers 1 where more has expired up to then, otherwise 0.

local ENTRIES, KEYS_BEFORE, PER_ENTRY = 4, 4, 5
local function text(number)
  return string.format('%.0f', number)
end

-- Takes an email off its message, which goes with its last one; tells what that frees.
local function freed(message, ordinal, costWithout)
  local cost = redis.call('HGET', message, 'e' .. ordinal)
  if not cost then
    -- Redis has deleted the message by itself: nobody was there to do so in time.
    return redis.call('EXISTS', message) == 0 and tonumber(costWithout) or 0
  end
  redis.call('HDEL', message, 'e' .. ordinal)
  local messageCost, chunks = string.match(redis.call('HGET', message, 'a'), '^(%d+) (%d+) ')
  -- Beside its emails and chunks it has three fields: a, i and s.
  if redis.call('HLEN', message) > tonumber(chunks) + 3 then return tonumber(cost) end
  redis.call('DEL', message)
  return tonumber(cost) + tonumber(messageCost)
end

-- When the email of this rank expires.
local function expiryAt(emails, rank)
  local entry = redis.call('ZRANGE', emails, rank, rank, 'WITHSCORES')
  return tonumber(entry[2]) + tonumber(string.match(entry[1], '^%S+ (%S+)'), 36)
end

-- The state of an inbox goes once it has no emails. With a shortened retention it may still have some, and waits.
local function forgetState(member, emails, state)
  if redis.call('EXISTS', emails) == 0 then
    redis.call('ZREM', KEYS[1], member)
    redis.call('DEL', state)
    return
  end
  local later = math.max(expiryAt(emails, 0), expiryAt(emails, -1))
  redis.call('ZADD', KEYS[1], text(later), member)
  redis.call('PEXPIREAT', state, text(later + tonumber(ARGV[2])))
end

local bytes, emails = 0, 0
local key = KEYS_BEFORE
for at = ENTRIES, #ARGV, PER_ENTRY do
  local kind, member, ordinal, cost = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  local first, second = KEYS[key], KEYS[key + 1]
  key = key + 2
  local score = redis.call('ZSCORE', KEYS[1], member)
  if kind == 's' then
    if score and tonumber(score) <= tonumber(ARGV[1]) then forgetState(member, first, second) end
  elseif kind == 'e' then
    if score then
      redis.call('ZREM', KEYS[1], member)
      local receivedAt = tonumber(score) - tonumber(string.match(member, '^e %S+ (%S+)'), 36)
      redis.call('ZREMRANGEBYSCORE', second, text(receivedAt), text(receivedAt))
      bytes, emails = bytes + freed(first, ordinal, cost), emails + 1
    end
  elseif redis.call('ZREM', KEYS[3], ARGV[at + 4]) == 1 and score then
    redis.call('ZREM', KEYS[1], member)
    bytes, emails = bytes + freed(first, ordinal, cost), emails + 1
  end
end
if ARGV[3] ~= '' and redis.call('EXISTS', KEYS[3]) == 0 then redis.call('ZREM', KEYS[1], ARGV[3]) end
if redis.call('EXISTS', KEYS[1]) == 0 then
  -- Where nothing is kept, nothing costs: also after Redis has deleted what nobody was there to delete.
  redis.call('DEL', KEYS[2])
elseif emails > 0 then
  redis.call('HINCRBY', KEYS[2], 'bytes', text(-bytes))
  redis.call('HINCRBY', KEYS[2], 'emails', -emails)
end
return #redis.call('ZRANGE', KEYS[1], '-inf', ARGV[1], 'BYSCORE', 'LIMIT', 0, 1)
