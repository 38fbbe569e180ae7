import { Redis } from 'ioredis'
import type { Clock } from '../../ports/clock.ts'
import type {
  AttemptCounter,
  AttemptWait,
  LimitState,
  RateLimit,
  RateLimiter,
} from '../../ports/rate-limiter.ts'
import { decisiveState } from '../../shared/limit-rules.ts'
import { beginScript, giveBackScript, takeScript, withdrawScript } from './limit-scripts.ts'

export interface RedisRateLimiterOptions {
  url: string
  /** Separates installations that share one Redis. */
  installationId: string
  /** Counts in this process while Redis is unavailable. */
  local: RateLimiter
  clock: Clock
  onError: (error: Error) => void
  /** How long a request may wait for its count before it is counted in this process. Default 250. */
  commandTimeoutMs?: number | undefined
}

/** How long Redis is not used after it failed; then one request tries it again. */
const retryAfterMs = 1000
const firstConnectionMs = 2000

interface ScriptedRedis extends Redis {
  crmTake(keys: number, ...rest: (string | number)[]): Promise<number[]>
  crmGiveBack(keys: number, ...rest: (string | number)[]): Promise<number>
  crmBegin(keys: number, ...rest: (string | number)[]): Promise<number[]>
  crmWithdraw(keys: number, ...rest: string[]): Promise<number>
}

/** Counters in Redis, shared by all processes of an installation. Requests of the same tick share a round trip. */
export async function openRedisRateLimiter(options: RedisRateLimiterOptions): Promise<RateLimiter> {
  const { installationId, local } = options
  const redis = connect(options)
  const orLocally = createFallback(options)
  const prefix = `crmkit:{${installationId}}:`
  const limitKey = ({ cell }: RateLimit) => `${prefix}limit:${cell}`
  const attemptKey = (id: string) => `${prefix}attempts:${id}`
  const knownKey = (id: string) => `${prefix}known:${id}`
  await firstConnection(redis)

  async function take(limits: readonly RateLimit[]): Promise<LimitState> {
    const keys = limits.map(limitKey)
    const rules = limits.flatMap(({ requests, windowMs, amount = 1 }) => [requests, windowMs, amount])
    return statesOf(limits, await redis.crmTake(keys.length, ...keys, ...rules))
  }

  const keysOf = (counters: readonly AttemptCounter[]) => counters.map(({ id }) => attemptKey(id))

  async function begin(counters: readonly AttemptCounter[]): Promise<AttemptWait | undefined> {
    const rules = counters.flatMap(({ rule }) => [
      rule.freeFailures,
      rule.firstWaitMs,
      rule.waitMaxMs,
      rule.keepMs,
    ])
    const [waitMs = 0, index = 0] = await redis.crmBegin(counters.length, ...keysOf(counters), ...rules)
    const counter = counters[index - 1]
    return counter && { waitMs, counter }
  }

  async function remembered(ids: readonly string[]): Promise<readonly string[]> {
    const found = await Promise.all(ids.map((id) => redis.exists(knownKey(id))))
    return ids.filter((_, index) => found[index] === 1)
  }

  return {
    take: (limits) => orLocally(() => take(limits), local.take.bind(local, limits)),
    giveBack: (limits) =>
      orLocally(
        async () => {
          const amounts = limits.map(({ amount = 1 }) => amount)
          await redis.crmGiveBack(limits.length, ...limits.map(limitKey), ...amounts)
        },
        local.giveBack.bind(local, limits),
      ),
    beginAttempt: (counters) => orLocally(() => begin(counters), local.beginAttempt.bind(local, counters)),
    withdrawAttempt: (counters) =>
      orLocally(
        async () => void (await redis.crmWithdraw(counters.length, ...keysOf(counters))),
        local.withdrawAttempt.bind(local, counters),
      ),
    remember: (id, keepMs) =>
      orLocally(
        async () => void (await redis.set(knownKey(id), 1, 'PX', keepMs)),
        local.remember.bind(local, id, keepMs),
      ),
    remembered: (ids) => orLocally(() => remembered(ids), local.remembered.bind(local, ids)),
    async close() {
      redis.disconnect()
      await local.close()
    },
  }
}

function connect({ url, onError, commandTimeoutMs = 250 }: RedisRateLimiterOptions): ScriptedRedis {
  const redis = new Redis(url, {
    connectTimeout: 5000,
    commandTimeout: commandTimeoutMs,
    // A connection whose other end vanished is replaced by a new one, long before TCP notices.
    socketTimeout: 5000,
    maxRetriesPerRequest: 0,
    // Without a connection a command fails immediately, and the request is counted in this process.
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    retryStrategy: (tries) => Math.min(50 * 2 ** tries, 1000),
  })
  redis.on('error', onError)
  redis.defineCommand('crmTake', { lua: takeScript })
  redis.defineCommand('crmGiveBack', { lua: giveBackScript })
  redis.defineCommand('crmBegin', { lua: beginScript })
  redis.defineCommand('crmWithdraw', { lua: withdrawScript })
  return redis as ScriptedRedis
}

/** Returns a function that calls Redis, or the local limiter while Redis is unavailable. */
function createFallback({ clock, onError }: RedisRateLimiterOptions) {
  let isAway = false
  let retryAtMs = 0
  return function orLocally<T>(redis: () => Promise<T>, local: () => T | Promise<T>): T | Promise<T> {
    const nowMs = clock.nowMs()
    if (isAway && nowMs < retryAtMs && retryAtMs - nowMs <= retryAfterMs) return local()
    // Requests that come during this retry do not wait for it.
    retryAtMs = nowMs + retryAfterMs
    return redis().then(
      (reply) => {
        isAway = false
        return reply
      },
      (error: unknown) => {
        isAway = true
        onError(error instanceof Error ? error : new Error(String(error)))
        return local()
      },
    )
  }
}

async function firstConnection(redis: Redis): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  redis.once('ready', resolve)
  const timer = setTimeout(resolve, firstConnectionMs)
  await promise
  clearTimeout(timer)
}

function statesOf(limits: readonly RateLimit[], [nowMs = 0, ...cells]: number[]): LimitState {
  const states = limits.map((limit, index): LimitState => {
    const [isFull = 0, count = 0, resetAtMs = 0] = cells.slice(3 * index, 3 * index + 3)
    return {
      limit,
      isRefused: isFull === 1,
      remaining: Math.max(0, limit.requests - count),
      resetAtMs,
      resetInMs: Math.max(0, resetAtMs - nowMs),
    }
  })
  return decisiveState(states as [LimitState, ...LimitState[]])
}
