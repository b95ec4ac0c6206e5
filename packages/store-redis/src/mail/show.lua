#!lua flags=allow-oom
-- Shows the emails that a delivery has put into this slot and append.lua held back, and announces them. All that stands
-- before one in its inbox is shown with it: no reader's cursor is to pass over any, and whoever has this one has those,
-- too.
--
-- KEYS[1…] of each inbox three: its emails, its state, and up to which receivedAt its emails are shown
-- ARGV[1…] of each inbox the receivedAt of the delivery's last email
--
-- Always writes to each inbox: from Redis 7.2 on, WAIT waits only for what its own connection wrote.

local PER_INBOX = 3
for number, receivedAt in ipairs(ARGV) do
  local key = 1 + PER_INBOX * (number - 1)
  local emails, state, shown = KEYS[key], redis.call('GET', KEYS[key + 1]), KEYS[key + 2]
  local newest = state and tonumber(string.match(state, '^(%S+) ')) or -1
  local upTo = redis.call('GET', shown)
  if newest > tonumber(receivedAt) and upTo then
    redis.call('SET', shown, tonumber(upTo) < tonumber(receivedAt) and receivedAt or upTo, 'KEEPTTL')
  else
    if not upTo then redis.call('SET', shown, receivedAt) end
    redis.call('DEL', shown)
  end
  redis.call('SPUBLISH', emails, '')
end
return #ARGV
