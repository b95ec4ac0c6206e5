-- The scripts for counts that nodes share. Each has one key, which expires once it has no effect. Times are the
-- server's, in milliseconds. A limit returns 0 if it counted the use, and otherwise the milliseconds until the next
-- use is allowed.

-- Script: limit-hold
#!lua
-- Leases a place. Returns 1, or 0 if all are taken. KEYS[1]: the holders, by the end of their lease. ARGV: the holder,
-- the number of places, the length of the lease.

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
-- Removes a counted name, or ends a lease. KEYS[1]: the names or the holders. ARGV: the name or the holder.

return redis.call('ZREM', KEYS[1], ARGV[1])

-- Script: limit-renew
#!lua flags=allow-oom
-- Renews leases, even an expired one beyond the number of places, because its holder is still active. Runs even when
-- memory is full, because there are no more leases than open streams. KEYS[1]: the holders. ARGV: the length of the
-- leases, and the holders.

local lease = tonumber(ARGV[1])
local time = redis.call('TIME')
local untilTime = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + lease)
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], untilTime, ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], lease)
return #ARGV - 1

-- Script: limit-use-name
#!lua
-- Counts a name unless the client has used up its names. A name counts once while it is remembered. A client may use
-- all names of a window at once. After that, new names become available evenly, because each name is forgotten one
-- share of the window after the name before it. KEYS[1]: the names, sorted by when they are forgotten. ARGV: the name,
-- the number of names in a window, and the length of a window.

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
-- No name is remembered for longer than a window, even if the clock of a previous server was ahead.
local leaves = math.min(math.max(last[2] and tonumber(last[2]) or now, now) + share, now + window)
redis.call('ZADD', KEYS[1], string.format('%.3f', leaves), ARGV[1])
redis.call('PEXPIRE', KEYS[1], math.ceil(leaves - now) + 1)
return 0

-- Script: limit-use
#!lua
-- Counts a use unless the sliding window is used up. Keeps uses in batches, each with the time of its last use.
-- KEYS[1]: a list of batches "TIME USES", oldest first. ARGV: the number of uses that the window allows, the length of
-- the window, and the number of uses in a batch.

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
-- Keeps the list in order even if a clock was ahead: another server's, or this server's before a correction.
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
-- Returns what limit-use would return, but does not count, and runs even when memory is full. KEYS[1] and ARGV are
-- those of limit-use without the last argument.

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
