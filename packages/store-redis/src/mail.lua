-- The scripts for mail. Times are milliseconds since the epoch, whole numbers below 2^53. Each script may be repeated.

-- Script: store
#!lua
-- Stores an email in its inbox, or refuses it.
-- KEYS: the inbox's emails (a sorted set by receivedAt, also the channel that announces them), its hidden emails, its
-- state (a hash that outlives them), the email (a hash). ARGV: now, receivedAt of the message, the retention, how many
-- unexpired emails an inbox may hold, how long an email can be read after it expires, "1" to hide it, its member, its
-- index, its summary, and the chunks of its content.
-- Returns the email's receivedAt, "inbox-full", or "rolled-back" if roll-back ran first. Another run returns the same.

local now, receivedAt, retention = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local most, grace, isHidden = tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6] == '1'
local FIRST_CHUNK = 10
-- Maximum number of expired emails that one call removes, unless the inbox is full.
local TRIMMED = 50
-- Maximum number of emails read in a full inbox if emails do not expire in order: Redis is blocked meanwhile.
local MOST_READ = 1000

local function text(number)
  return string.format('%.0f', number)
end

local given = redis.call('HGET', KEYS[4], 'a')
if given == '' then return 'rolled-back' end
if given then
  -- Writes again for the WAIT that follows, because since Redis 7.2, WAIT covers only writes of its own connection.
  redis.call('HSET', KEYS[4], 'a', given)
  return given
end

local state = redis.call('HMGET', KEYS[3], 'newest', 'expires', 'mixed')
local time = math.max(receivedAt, tonumber(state[1] or '-1') + 1)
local expiresAt = time + retention
-- An email that has already expired is accepted but not kept.
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
-- Emails expire in the order of arrival unless the retention was shortened.
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
-- Shows and announces a hidden email and all earlier ones of its inbox, so that no reader's cursor skips one. Replicas
-- that have this email also have the earlier ones.
-- KEYS: the inbox's emails, its hidden emails, its state. ARGV: the email's receivedAt, and the earliest time at which
-- the keys may expire. Returns the members of the emails that were hidden, each followed by its receivedAt.

local rows = redis.call('ZRANGE', KEYS[2], '-inf', ARGV[1], 'BYSCORE', 'WITHSCORES')
for i = 1, #rows, 2 do redis.call('ZADD', KEYS[1], rows[i + 1], rows[i]) end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[1])
-- Always writes, because since Redis 7.2, WAIT covers only writes of its own connection.
redis.call('HSET', KEYS[3], 'shown', ARGV[1])
for _, key in ipairs({ KEYS[1], KEYS[3] }) do
  local kept = redis.call('PEXPIRETIME', key)
  if kept < tonumber(ARGV[2]) then redis.call('PEXPIREAT', key, ARGV[2]) end
end
redis.call('SPUBLISH', KEYS[1], '')
return rows

-- Script: roll-back
#!lua flags=allow-oom
-- Removes an email because another inbox of its message refused its copy or was unreachable. Refuses the email if it
-- arrives later.
-- KEYS: the inbox's emails, its hidden emails, the email. ARGV: the email's member, and until when to refuse the email.

redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('DEL', KEYS[3])
redis.call('HSET', KEYS[3], 'a', '')
redis.call('PEXPIREAT', KEYS[3], ARGV[2])
return 1

-- Script: clear
#!lua flags=allow-oom
-- Removes emails from the list of their inbox. Readers that already found such an email may still read it for a while.
-- KEYS: the inbox's emails, and the emails. ARGV: the time until which they can be read, and their members. Returns how
-- many of the emails were listed.

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
-- Adds emails to an index of all mail, and removes some expired ones.
-- KEYS: the index, a sorted set in the order of its members, which begin with the expiry time. ARGV: the bound below
-- which all members have expired, when the index may expire, and the members to add.

local REMOVED = 100
for i = 3, #ARGV do redis.call('ZADD', KEYS[1], 0, ARGV[i]) end
local expired = redis.call('ZRANGE', KEYS[1], '-', '(' .. ARGV[1], 'BYLEX', 'LIMIT', 0, REMOVED)
if #expired > 0 then redis.call('ZREM', KEYS[1], unpack(expired)) end
if redis.call('PEXPIRETIME', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIREAT', KEYS[1], ARGV[2]) end
return 1

-- Script: join-waitlist
#!lua
-- Adds an address to the waitlist unless it is already there. KEYS: the set of addresses, and the list of entries in
-- the order of joining. ARGV: the address, and its entry.

if redis.call('SADD', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('RPUSH', KEYS[2], ARGV[2])
return 1
