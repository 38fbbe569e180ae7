import { Redis } from 'ioredis'
import { clockFinding, type Finding } from '../../ports/diagnosis.ts'

const timeoutMs = 5_000
/** The versions that BullMQ needs and recommends, as `major * 100 + minor`. */
const versionMin = { name: '5.0', number: 500 }
const versionRecommended = { name: '6.2', number: 602 }

function versionFinding(info: string): Finding {
  const version = /^redis_version:(\S+)/m.exec(info)?.[1] ?? 'unknown'
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const number = major * 100 + minor
  if (Number.isNaN(number) || number < versionMin.number) {
    return {
      outcome: 'problem',
      sentence: `Redis has version ${version}; the job queue needs ${versionMin.name} or newer.`,
      mend: `Upgrade Redis to ${versionRecommended.name} or newer`,
    }
  }
  if (number < versionRecommended.number) {
    return {
      outcome: 'warning',
      sentence: `Redis has version ${version}; the job queue recommends ${versionRecommended.name} or newer.`,
      mend: `Upgrade Redis to ${versionRecommended.name} or newer`,
    }
  }
  return { outcome: 'ok', sentence: `Redis can be reached and has version ${version}.` }
}

function evictionFinding(info: string): Finding {
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1]
  if (policy === 'noeviction') return { outcome: 'ok', sentence: 'Redis never evicts a key (noeviction).' }
  return {
    outcome: 'problem',
    sentence: `Redis has the maxmemory-policy ${policy ?? 'unknown'}: an evicted key is a lost wake-up.`,
    mend: 'redis-cli CONFIG SET maxmemory-policy noeviction, and set it in redis.conf',
  }
}

/** Examines a Redis without changing it. */
export async function examineRedis(url: string): Promise<Finding[]> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  // The command that fails reports the error.
  let lastError: Error | undefined
  redis.on('error', (error) => {
    lastError = error
  })
  try {
    await redis.connect()
    const info = await redis.info()
    const [seconds] = await redis.time()
    return [
      versionFinding(info),
      evictionFinding(info),
      clockFinding('Redis', { remoteMs: Number(seconds) * 1000, localMs: Date.now() }),
    ]
  } catch (error) {
    const reason = lastError ?? error
    return [
      {
        outcome: 'problem',
        sentence: `Redis cannot be reached: ${reason instanceof Error ? reason.message : String(reason)}.`,
        mend: 'Start Redis and check CRM_REDIS_URL; until then each process finds its jobs by polling',
      },
    ]
  } finally {
    redis.disconnect()
  }
}
