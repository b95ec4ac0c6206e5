-- The scripts for counts that nodes share. Each has one key, which expires once it says nothing any more. Times are
-- the server's, in milliseconds. A limit answers 0 when a use is counted, and otherwise in how many milliseconds the
-- next one may be.

-- Script: limit-hold
#!lua
-- Leases a place, unless all are taken; answers 1, or 0 where no place is left. KEYS[1]: the holders of places by when
-- their leases end. ARGV: the holder, the number of places, the length of the lease.

local lease = tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], string.format('%.0f', now + lease), ARGV[1])
redis.call('PEXPIRE', KEYS[1], lease)
return 1

-- Script: limit-release
#!lua flags=allow-oom
-- Gives back a name that was counted, or ends a lease. KEYS[1]: the names, or the holders. ARGV: the one.

return redis.call('ZREM', KEYS[1], ARGV[1])

-- Script: limit-renew
#!lua flags=allow-oom
-- Renews leases. One that has run out is given again, even above the number of places: its holder still uses it. It
-- runs where memory is full, too: there are no more leases than open streams. KEYS[1]: the holders. ARGV: the length of
-- the leases, and the holders.

local lease = tonumber(ARGV[1])
local time = redis.call('TIME')
local untilTime = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + lease)
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], untilTime, ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], lease)
return #ARGV - 1

-- Script: limit-use-name
#!lua
-- Counts a name, once however often it comes while it is remembered, unless the client has used up its names. It has so
-- many at once, and as many more, evenly, in each window: a name that is counted leaves one share of the window after
-- the one before it. KEYS[1]: the names by when each leaves. ARGV: the name, how many names there are in a window, and
-- how long that is.

local count, window = tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 0 end
local share = window / count
if redis.call('ZCARD', KEYS[1]) >= count then
  local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  return math.min(math.max(math.ceil(tonumber(first[2]) - now), 1), window)
end
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
-- The clock of another server may have been ahead: no name is remembered for longer than a window.
local leaves = math.min(math.max(last[2] and tonumber(last[2]) or now, now) + share, now + window)
redis.call('ZADD', KEYS[1], string.format('%.3f', leaves), ARGV[1])
redis.call('PEXPIRE', KEYS[1], math.ceil(leaves - now) + 1)
return 0

-- Script: limit-use
#!lua
-- Counts a use within a sliding window, unless there have been as many as it allows. Uses are remembered in batches,
-- each with the time of its last one. KEYS[1]: the batches, oldest first: a list of "TIME USES". ARGV: how many uses
-- the window allows, how long it is, and how many uses a batch has.

local count, window, size = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local uses, gone, first, last, lastUses = 0, 0, nil, nil, nil
for number, batch in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  local at, of = string.match(batch, '^(%d+) (%d+)$')
  at, of = tonumber(at), tonumber(of)
  if at <= now - window then
    gone = number
  else
    uses, first, last, lastUses = uses + of, first or at, at, of
  end
end
if first and uses >= count then return math.min(math.max(first + window - now, 1), window) end
if gone > 0 then redis.call('LTRIM', KEYS[1], gone, -1) end
-- The clock of another server, or of this one before it was set right, may have been ahead: the list stays in order.
local at = string.format('%.0f', math.max(now, last or now))
if lastUses and lastUses < size then
  redis.call('LSET', KEYS[1], -1, at .. ' ' .. lastUses + 1)
else
  redis.call('RPUSH', KEYS[1], at .. ' 1')
end
redis.call('PEXPIRE', KEYS[1], window)
return 0

-- Script: limit-wait
#!lua flags=no-writes
-- Tells what limit-use would answer, and counts nothing. It answers where memory is full, too. KEYS[1] and ARGV as
-- there, without the last.

local count, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local uses, first = 0, nil
for _, batch in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  local at, of = string.match(batch, '^(%d+) (%d+)$')
  if tonumber(at) > now - window then uses, first = uses + tonumber(of), first or tonumber(at) end
end
if not first or uses < count then return 0 end
return math.min(math.max(first + window - now, 1), window)
