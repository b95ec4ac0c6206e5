#!lua
-- Keeps a message for recipients whose inboxes share a slot, for all of them or for none.
--
-- KEYS[1]  the expiry index of this slot: a sorted set, score when a member is to be purged
-- KEYS[2]  the tally of this slot: a hash of the bytes that everything costs, and of the emails
-- KEYS[3]  the message: a hash
-- KEYS[4…] of each inbox three: its emails (sorted set, score receivedAt, also the channel on which mail is
--         announced), its state, and
--          up to which receivedAt its emails are shown, which is there only while some are held back
-- ARGV[1]  now
-- ARGV[2]  receivedAt of the message
-- ARGV[3]  how long an email is kept
-- ARGV[4]  how many unexpired emails an inbox takes
-- ARGV[5]  what everything in this slot may cost
-- ARGV[6]  how long after its deadline Redis itself deletes what nobody has deleted
-- ARGV[7]  what the message costs, without its emails
-- ARGV[8]  "1" where its emails are held back until show.lua shows them; empty where they are shown at once
-- ARGV[9]  its index
-- ARGV[10] its summary
-- ARGV[11] how many chunks its content has
-- ARGV[12…] the chunks; then for each recipient five: the number of its inbox among the keys (from 1), its ordinal,
--          its member among the inbox's emails, what it costs, and its member of the expiry index
--
-- Times are milliseconds, whole numbers below 2^53. Answers "inbox-full", "store-full", or a text with the receivedAt
-- of each recipient, separated by blanks. A message that is there already was stored by the same delivery, whose answer
-- got lost: the answer is what it was. One that was rolled back before it came is turned away: "rolled-back".

local now, receivedAt, retention = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local maxEmails, budget, grace = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local messageCost, chunks = tonumber(ARGV[7]), tonumber(ARGV[11])
local isHeldBack = ARGV[8] == '1'
local FIRST_CHUNK = 12
local FIRST_RECIPIENT = FIRST_CHUNK + chunks
local PER_RECIPIENT = 5

local function text(number)
  return string.format('%.0f', number)
end

local given = redis.call('HGET', KEYS[3], 'a')
if given == '' then return 'rolled-back' end
if given then
  -- Written again for a WAIT that follows: from Redis 7.2 on, it waits only for what its own connection wrote.
  redis.call('HSET', KEYS[3], 'a', given)
  return string.match(given, '^%d+ %d+ (.*)$')
end

local inboxes = {}

local function inboxOf(number)
  local inbox = inboxes[number]
  if inbox then return inbox end
  local key = 1 + 3 * number
  inbox = { emails = KEYS[key], state = KEYS[key + 1], shown = KEYS[key + 2], newest = -1, expiresAt = 0, added = 0 }
  local state = redis.call('GET', inbox.state)
  if state then
    local newest, expiresAt, mixed = string.match(state, '^(%S+) (%S+) (%d)$')
    inbox.newest, inbox.expiresAt, inbox.isMixed = tonumber(newest), tonumber(expiresAt), mixed == '1'
  end
  inbox.before = inbox.newest
  inboxes[number] = inbox
  return inbox
end

-- When the email of this rank expires.
local function expiryAt(emails, rank)
  local entry = redis.call('ZRANGE', emails, rank, rank, 'WITHSCORES')
  return tonumber(entry[2]) + tonumber(string.match(entry[1], '^%S+ (%S+)'), 36)
end

-- How many emails are read at either end of an inbox that has them in no order of expiry: a script holds up all others.
local MIXED_READ = 500

-- How many emails of these ranks have expired.
local function expiredBetween(emails, from, to)
  local expired = 0
  local entries = redis.call('ZRANGE', emails, from, to, 'WITHSCORES')
  for i = 1, #entries, 2 do
    if tonumber(entries[i + 1]) + tonumber(string.match(entries[i], '^%S+ (%S+)'), 36) <= now then expired = expired + 1 end
  end
  return expired
end

-- How many of an inbox's emails have expired. They do so in their order, unless the retention has been shortened. Then
-- it may be more than this says where the inbox is larger than what is read: it is full until what has expired is
-- purged.
local function expiredIn(inbox, count)
  if inbox.isMixed then
    if count <= 2 * MIXED_READ then return expiredBetween(inbox.emails, 0, -1) end
    return expiredBetween(inbox.emails, 0, MIXED_READ - 1) + expiredBetween(inbox.emails, -MIXED_READ, -1)
  end
  local low, high = 0, count
  while low < high do
    local middle = math.floor((low + high) / 2)
    if expiryAt(inbox.emails, middle) <= now then low = middle + 1 else high = middle end
  end
  return low
end

local times, arrivals, cost = {}, {}, messageCost
for at = FIRST_RECIPIENT, #ARGV, PER_RECIPIENT do
  local inbox = inboxOf(tonumber(ARGV[at]))
  local time = math.max(receivedAt, inbox.newest + 1)
  local expiresAt = time + retention
  times[#times + 1] = text(time)
  -- What has expired already is taken, but not kept.
  if expiresAt > now then
    inbox.isMixed = inbox.isMixed or expiresAt < inbox.expiresAt
    inbox.newest, inbox.expiresAt, inbox.added = time, expiresAt, inbox.added + 1
    cost = cost + tonumber(ARGV[at + 3])
    arrivals[#arrivals + 1] = { inbox = inbox, time = time, expiresAt = expiresAt, at = at }
  end
end
local answer = table.concat(times, ' ')
if #arrivals == 0 then return answer end

for _, inbox in pairs(inboxes) do
  inbox.count = redis.call('ZCARD', inbox.emails)
  local over = inbox.count + inbox.added - maxEmails
  if inbox.added > 0 and over > 0 and over > expiredIn(inbox, inbox.count) then return 'inbox-full' end
end
if tonumber(redis.call('HGET', KEYS[2], 'bytes') or '0') + cost > budget then return 'store-full' end

local fields = { 'a', messageCost .. ' ' .. chunks .. ' ' .. answer, 'i', ARGV[9], 's', ARGV[10] }
local function put(field, value)
  fields[#fields + 1] = field
  fields[#fields + 1] = value
end
for chunk = 0, chunks - 1 do put(chunk, ARGV[FIRST_CHUNK + chunk]) end
local last = 0
for _, arrival in ipairs(arrivals) do
  local at = arrival.at
  put('e' .. ARGV[at + 1], ARGV[at + 3])
  redis.call('ZADD', arrival.inbox.emails, text(arrival.time), ARGV[at + 2])
  redis.call('ZADD', KEYS[1], text(arrival.expiresAt), ARGV[at + 4])
  last = math.max(last, arrival.expiresAt)
end
redis.call('HSET', KEYS[3], unpack(fields))
redis.call('PEXPIREAT', KEYS[3], text(last + grace))
redis.call('HINCRBY', KEYS[2], 'bytes', text(cost))
redis.call('HINCRBY', KEYS[2], 'emails', #arrivals)
for number, inbox in pairs(inboxes) do
  if inbox.added > 0 then
    local deleteAt = text(inbox.expiresAt + grace)
    local mixed = inbox.isMixed and 1 or 0
    redis.call('SET', inbox.state, text(inbox.newest) .. ' ' .. text(inbox.expiresAt) .. ' ' .. mixed, 'PXAT', deleteAt)
    if inbox.count == 0 then
      redis.call('PEXPIREAT', inbox.emails, deleteAt)
    else
      -- Never sooner than an earlier email needs.
      redis.call('PEXPIREAT', inbox.emails, deleteAt, 'GT')
    end
    redis.call('ZADD', KEYS[1], text(inbox.expiresAt), 's ' .. inbox.emails)
    if not isHeldBack then
      redis.call('DEL', inbox.shown)
      redis.call('SPUBLISH', inbox.emails, '')
    elseif not redis.call('SET', inbox.shown, text(inbox.before), 'NX', 'PXAT', deleteAt) then
      redis.call('PEXPIREAT', inbox.shown, deleteAt, 'GT')
    end
  end
end
return answer
