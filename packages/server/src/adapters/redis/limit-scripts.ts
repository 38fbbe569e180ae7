/*
 * Redis runs one script at a time, so no other process can change a count between its check and its update. The
 * scripts use Redis's clock only: so processes whose clocks differ agree on the end of a window.
 */

const readClock = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)`

/**
 * Counts one request against every cell, or against none when one is full. Keys: the cells. Arguments: requests and
 * window (ms) of each. Returns the time, then for each cell whether it is full (1), its count and its end.
 */
export const takeScript = `${readClock}
local counts, ends, full, isRefused = {}, {}, {}, false
for i, key in ipairs(KEYS) do
  local requests, window = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  local cell = redis.call('HMGET', key, 'n', 'e')
  counts[i], ends[i] = tonumber(cell[1] or 0), tonumber(cell[2] or 0)
  if ends[i] <= now or ends[i] > now + window then
    counts[i], ends[i] = 0, now + window
  end
  full[i] = counts[i] >= requests and 1 or 0
  if full[i] == 1 then isRefused = true end
end
local reply = { now }
for i, key in ipairs(KEYS) do
  if not isRefused then
    counts[i] = counts[i] + 1
    if counts[i] == 1 then
      redis.call('HSET', key, 'n', 1, 'e', ends[i])
      redis.call('PEXPIRE', key, ends[i] - now)
    else
      redis.call('HINCRBY', key, 'n', 1)
    end
  end
  reply[#reply + 1], reply[#reply + 2], reply[#reply + 3] = full[i], counts[i], ends[i]
end
return reply`

/** Returns the milliseconds until the next attempt of a key. */
export const waitScript = `${readClock}
return math.max(0, tonumber(redis.call('HGET', KEYS[1], 'w') or 0) - now)`

/** Counts a failed attempt. Arguments: free failures, first wait, longest wait, keep (ms). */
export const failScript = `${readClock}
local failures = redis.call('HINCRBY', KEYS[1], 'f', 1)
local free, first, longest, keep = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local wait = 0
if failures >= free then wait = math.min(longest, first * 2 ^ math.min(failures - free, 40)) end
redis.call('HSET', KEYS[1], 'w', now + wait)
redis.call('PEXPIRE', KEYS[1], wait + keep)
return failures`
