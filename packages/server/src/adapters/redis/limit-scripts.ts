/*
 * Redis runs one script at a time, so no other process can change a count between its check and its update. The
 * scripts use Redis's clock only: so processes whose clocks differ agree on the end of a window.
 */

const readClock = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)`

/**
 * Counts one request against every cell, or against none when one is full. Keys: the cells. Arguments: requests, window (ms)
 * and amount of each. Returns the time, then for each cell whether it is full (1), its count and its end.
 */
export const takeScript = `${readClock}
local counts, ends, amounts, full, isRefused = {}, {}, {}, {}, false
for i, key in ipairs(KEYS) do
  local requests, window = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1])
  amounts[i] = tonumber(ARGV[3 * i])
  local cell = redis.call('HMGET', key, 'n', 'e')
  counts[i], ends[i] = tonumber(cell[1] or 0), tonumber(cell[2] or 0)
  if ends[i] <= now or ends[i] > now + window then
    counts[i], ends[i] = 0, now + window
  end
  full[i] = counts[i] + amounts[i] > requests and 1 or 0
  if full[i] == 1 then isRefused = true end
end
local reply = { now }
for i, key in ipairs(KEYS) do
  if not isRefused then
    counts[i] = counts[i] + amounts[i]
    if counts[i] == amounts[i] then
      redis.call('HSET', key, 'n', amounts[i], 'e', ends[i])
      redis.call('PEXPIRE', key, ends[i] - now)
    else
      redis.call('HINCRBY', key, 'n', amounts[i])
    end
  end
  reply[#reply + 1], reply[#reply + 2], reply[#reply + 3] = full[i], counts[i], ends[i]
end
return reply`

/** Takes a request back from every cell that still has it. Keys: the cells. Arguments: the amount of each. */
export const giveBackScript = `
for i, key in ipairs(KEYS) do
  local count = tonumber(redis.call('HGET', key, 'n') or 0)
  if count > 0 then redis.call('HINCRBY', key, 'n', -math.min(count, tonumber(ARGV[i]))) end
end
return 0`

/**
 * Counts an attempt as failed against every counter, or against none when one has to wait. Keys: the counters. Arguments:
 * free failures, first wait, longest wait, keep (ms) of each. Returns the longest wait and the index of its counter, from 1.
 */
export const beginScript = `${readClock}
local longest, index = 0, 0
for i, key in ipairs(KEYS) do
  local wait = tonumber(redis.call('HGET', key, 'w') or 0) - now
  if wait > longest then longest, index = wait, i end
end
if longest > 0 then return { longest, index } end
for i, key in ipairs(KEYS) do
  local free, first = tonumber(ARGV[4 * i - 3]), tonumber(ARGV[4 * i - 2])
  local waitMax, keep = tonumber(ARGV[4 * i - 1]), tonumber(ARGV[4 * i])
  local failures = redis.call('HINCRBY', key, 'f', 1)
  local wait = 0
  if failures >= free then wait = math.min(waitMax, first * 2 ^ math.min(failures - free, 40)) end
  redis.call('HSET', key, 'w', now + wait)
  redis.call('PEXPIRE', key, wait + keep)
end
return { 0, 0 }`

/** Withdraws an attempt from every counter that still has it. It was begun, so there was no wait before it. */
export const withdrawScript = `
for _, key in ipairs(KEYS) do
  if tonumber(redis.call('HGET', key, 'f') or 0) > 0 then
    redis.call('HINCRBY', key, 'f', -1)
    redis.call('HSET', key, 'w', 0)
  end
end
return 0`
