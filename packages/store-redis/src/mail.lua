-- The scripts for mail. Times are milliseconds since the epoch, whole numbers below 2^53. Each script may be repeated.

-- Script: store
#!lua
-- Stores one email in its inbox, or refuses it.
-- KEYS: the inbox's emails (a sorted set by receivedAt, also the channel that announces them), its hidden emails, its
-- state (a hash that outlives them), the email (a hash). ARGV: now, receivedAt of the message, the retention, how many
-- unexpired emails an inbox may hold, how long an email can be read after its deadline, "1" to hide it, its member, its
-- index, its summary, and the chunks of its content.
-- Answers its receivedAt, "inbox-full", or "taken-back" if take-back came first. A repeated call answers the same.

local now, receivedAt, retention = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local most, grace, isHidden = tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6] == '1'
local FIRST_CHUNK = 10
-- How many rows of expired emails one call looks for, unless the inbox is full.
local TRIMMED = 50
-- How many rows are read of a full inbox whose emails expire in no order: a script holds up all others.
local MOST_READ = 1000

local function text(number)
  return string.format('%.0f', number)
end

local given = redis.call('HGET', KEYS[4], 'a')
if given == '' then return 'taken-back' end
if given then
  -- Written again for a WAIT that follows: from Redis 7.2 on, it waits only for what its own connection wrote.
  redis.call('HSET', KEYS[4], 'a', given)
  return given
end

local state = redis.call('HMGET', KEYS[3], 'newest', 'expires', 'mixed')
local time = math.max(receivedAt, tonumber(state[1] or '-1') + 1)
local expiresAt = time + retention
-- What has expired already is accepted and not kept.
if expiresAt <= now then return text(time) end

local function removeExpired(from, to, isInOrder)
  local rows, expired = redis.call('ZRANGE', KEYS[1], from, to, 'WITHSCORES'), {}
  for i = 1, #rows, 2 do
    if tonumber(rows[i + 1]) + tonumber(string.match(rows[i], '^%S+ (%S+)'), 36) <= now then
      expired[#expired + 1] = rows[i]
    elseif isInOrder then
      break
    end
  end
  if #expired > 0 then redis.call('ZREM', KEYS[1], unpack(expired)) end
  return #expired
end

local function isFull()
  return redis.call('ZCARD', KEYS[1]) + redis.call('ZCARD', KEYS[2]) >= most
end

while removeExpired(0, TRIMMED - 1, true) == TRIMMED and isFull() do end
-- Emails expire in their order, unless the retention was shortened.
local lastExpiry = tonumber(state[2] or '0')
local isMixed = state[3] == '1' or expiresAt < lastExpiry
if isFull() and isMixed then removeExpired(-MOST_READ, -1, false) end
if isFull() then return 'inbox-full' end

local fields = { 'a', text(time), 'i', ARGV[8], 's', ARGV[9] }
for at = FIRST_CHUNK, #ARGV do
  fields[#fields + 1] = at - FIRST_CHUNK
  fields[#fields + 1] = ARGV[at]
end
redis.call('HSET', KEYS[4], unpack(fields))
redis.call('PEXPIREAT', KEYS[4], text(expiresAt + grace))
local emails = isHidden and KEYS[2] or KEYS[1]
redis.call('ZADD', emails, text(time), ARGV[7])
lastExpiry = math.max(lastExpiry, expiresAt)
redis.call('HSET', KEYS[3], 'newest', text(time), 'expires', text(lastExpiry), 'mixed', isMixed and '1' or '0')
for _, key in ipairs({ emails, KEYS[3] }) do redis.call('PEXPIREAT', key, text(lastExpiry + grace)) end
if not isHidden then redis.call('SPUBLISH', KEYS[1], '') end
return text(time)

-- Script: show
#!lua flags=allow-oom
-- Shows a hidden email and announces it, with all that stands before it in its inbox: no reader's cursor is to pass
-- over any, and the replicas that have this one have those, too.
-- KEYS: the inbox's emails, its hidden emails, its state. ARGV: the email's receivedAt, and until when the inbox is kept
-- at least. Answers the members of the emails that were hidden, each followed by its receivedAt.

local rows = redis.call('ZRANGE', KEYS[2], '-inf', ARGV[1], 'BYSCORE', 'WITHSCORES')
for i = 1, #rows, 2 do redis.call('ZADD', KEYS[1], rows[i + 1], rows[i]) end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[1])
-- Always writes: from Redis 7.2 on, WAIT waits only for what its own connection wrote.
redis.call('HSET', KEYS[3], 'shown', ARGV[1])
for _, key in ipairs({ KEYS[1], KEYS[3] }) do
  local kept = redis.call('PEXPIRETIME', key)
  if kept < tonumber(ARGV[2]) then redis.call('PEXPIREAT', key, ARGV[2]) end
end
redis.call('SPUBLISH', KEYS[1], '')
return rows

-- Script: take-back
#!lua flags=allow-oom
-- Takes an email back because another inbox of its message refused it or could not be reached. An email that arrives
-- only now is turned away.
-- KEYS: the inbox's emails, its hidden emails, the email. ARGV: its member, and until when it is turned away.

redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('DEL', KEYS[3])
redis.call('HSET', KEYS[3], 'a', '')
redis.call('PEXPIREAT', KEYS[3], ARGV[2])
return 1

-- Script: clear
#!lua flags=allow-oom
-- Clears emails of an inbox. They can be read for a while.
-- KEYS: the inbox's emails, and the emails. ARGV: until when they can be read, and their members. Answers how many were
-- listed.

local cleared = 0
for i = 2, #ARGV do
  if redis.call('ZREM', KEYS[1], ARGV[i]) == 1 then
    cleared = cleared + 1
    redis.call('PEXPIREAT', KEYS[i], ARGV[1], 'LT')
  end
end
return cleared

-- Script: index
#!lua flags=allow-oom
-- Adds emails to an index of all mail, and removes some that have expired.
-- KEYS: the index, a sorted set in the order of its members, which begin with when an email expires. ARGV: before which
-- members all have expired, until when the index is kept at least, and the members.

local REMOVED = 100
for i = 3, #ARGV do redis.call('ZADD', KEYS[1], 0, ARGV[i]) end
local expired = redis.call('ZRANGE', KEYS[1], '-', '(' .. ARGV[1], 'BYLEX', 'LIMIT', 0, REMOVED)
if #expired > 0 then redis.call('ZREM', KEYS[1], unpack(expired)) end
if redis.call('PEXPIRETIME', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIREAT', KEYS[1], ARGV[2]) end
return 1

-- Script: join-waitlist
#!lua
-- Puts an address on the waitlist, once. KEYS: the set of addresses on it, and the list of its entries in the order of
-- joining. ARGV: the address, and its entry.

if redis.call('SADD', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('RPUSH', KEYS[2], ARGV[2])
return 1
