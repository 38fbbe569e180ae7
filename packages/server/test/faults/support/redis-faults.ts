import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { call } from '../../support/call.ts'
import { type RedisServer, startRedis } from '../../support/redis-server.ts'
import { type FaultRun, startFaultRun } from './fault-run.ts'
import type { Member } from './fleet.ts'
import { mongoWorld } from './mongo-world.ts'
import { exitsOf, inRounds, type OutageReport, probe, type Resumption } from './outages.ts'

/** One way in which Redis fails and returns; `while` runs in between. */
type RedisFault = (redis: RedisServer, meanwhile: () => Promise<void>) => Promise<void>

export const redisFaults = {
  killed: async (redis, meanwhile) => {
    await redis.kill()
    await meanwhile()
    await redis.restart()
  },
  flushed: (redis) => redis.flush(),
  paused: async (redis, meanwhile) => {
    await redis.pause()
    await meanwhile()
    redis.resume()
  },
} satisfies Record<string, RedisFault>
export type RedisFaultName = keyof typeof redisFaults

export interface RedisFaultSetting {
  /** The address of a MongoDB database that nothing else uses. */
  databaseUrl: string
  seed: number
  /** The number of each fault; one after the other, in rounds. */
  times: Readonly<Partial<Record<RedisFaultName, number>>>
  onFault?: (name: string, resumption: Resumption) => void
}

export interface RedisReport extends OutageReport {
  /** Resident memory of all servers after a first outage and at the end, MiB. */
  memoryMiB: { first: number; last: number }
}

/** Node lets its heap grow while there is memory: with a small limit, leftovers of outages end the process. */
const heapMaxMiB = 96

/** Two API processes and two workers, as an operator would run them. */
const roles = ['api', 'api', 'worker', 'worker'].map((role, index) => ({
  name: `${role}-${(index % 2) + 1}`,
  variables: { CRM_ROLE: role, NODE_OPTIONS: `--max-old-space-size=${heapMaxMiB}` },
  takesRequests: role === 'api',
}))

function memoryMiBOf({ fleet }: FaultRun): number {
  const kibs = fleet.members.map((member) => {
    const pid = member.program()?.process.pid
    const status = pid === undefined ? '' : readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0)
  })
  return Math.round(kibs.reduce((sum, kib) => sum + kib, 0) / 1024)
}

const healthWithinMs = 20_000

/** Resolves when every process reports this state of its jobs. */
async function untilJobsAre(state: 'ok' | 'failing', { fleet }: FaultRun): Promise<void> {
  const endsAt = Date.now() + healthWithinMs
  const jobsOf = async (member: Member) => {
    const { body } = await call(member.program()?.url ?? '', { path: '/api/v1/health' })
    return body.data?.checks.jobs as string
  }
  for (;;) {
    const states = await Promise.all(fleet.members.map(jobsOf))
    if (states.every((one) => one === state)) return
    if (Date.now() > endsAt) throw new Error(`The jobs of the processes are ${states}, not ${state}`)
    await delay(50)
  }
}

/** API processes and workers under load, while their Redis fails one way after the other. */
export async function runRedisFaults(setting: RedisFaultSetting): Promise<RedisReport> {
  const { databaseUrl, seed, times, onFault } = setting
  const redis = await startRedis()
  try {
    const world = mongoWorld({ url: databaseUrl, redisUrl: redis.url })
    const run = await startFaultRun({ world, seed, servers: roles })
    await untilJobsAre('ok', run)
    const resumptions: OutageReport['resumptions'] = {}
    const prove = async (name: string) => {
      const resumption = await probe(run)
      resumptions[name] = [...(resumptions[name] ?? []), resumption]
      onFault?.(name, resumption)
    }
    let first: number | undefined
    for (const name of inRounds(times)) {
      const fault: RedisFault = redisFaults[name]
      await fault(redis, async () => {
        // The API continues, and deliveries do too, a second late at most.
        await prove(`${name}, while it lasts`)
        await untilJobsAre('failing', run)
      })
      await prove(name)
      await untilJobsAre('ok', run)
      first ??= memoryMiBOf(run)
    }
    const memoryMiB = { first: first ?? 0, last: memoryMiBOf(run) }
    const exits = exitsOf(run)
    return { ...(await run.finish()), resumptions, exits, memoryMiB }
  } finally {
    await redis.stop()
  }
}
