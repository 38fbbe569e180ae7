import { readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { backgroundJobs, jobBacklogs } from '../../src/main/compose/job-registry.ts'
import { composeService, type Service } from '../../src/main/compose/service.ts'
import { loadConfig } from '../../src/main/config/config.ts'
import { listen } from '../../src/main/listen.ts'
import { makeFastFolder } from '../support/fast-folder.ts'
import { dropDatabase, newDatabaseUrl } from '../support/mongo-database.ts'
import { readRaw } from '../support/read-raw.ts'

export type WorldName = 'sqlite' | 'mongodb'

/** A whole service on a database of its own, whose clock stands still between the steps. */
export interface World {
  readonly name: string
  readonly url: string
  now(): number
  advance(ms: number): void
  /** Resolves when no background work is left that is due now. */
  settle(): Promise<void>
  /** Ends the service, and returns everything that its database and its files hold. */
  stop(): Promise<string>
  /** Where the service is killed now and then: kills it in a moment, unless it is not due. */
  killSoon?(): void
  /** Resolves when a killed service serves again. */
  restarted?(): Promise<void>
}

/** No day of the machine: the same on each run, and later than what its own clock can name. */
export const startsAtMs = Date.parse('2031-03-03T09:00:00.000Z')
/** A task stays for ten seconds after its last page. */
const taskMs = 11_000
const waitMaxMs = 60_000

/** Jobs look at the clock of the walk, which the timers of the machine do not know: they poll often instead. */
async function pollingOften<Made>(everyMs: number, make: () => Promise<Made>): Promise<Made> {
  const before = Object.values(backgroundJobs).map((job) => [job, job.pollEveryMs] as const)
  for (const [job] of before) Object.assign(job, { pollEveryMs: everyMs })
  try {
    return await make()
  } finally {
    for (const [job, pollEveryMs] of before) Object.assign(job, { pollEveryMs })
  }
}

/** Puts a mistake into a service. */
export type Plant = (service: Service) => void

/** Where a world keeps what it stores. */
export interface Place {
  readonly folder: string
  readonly databaseUrl: string | undefined
}

export function newPlace(name: WorldName): Place {
  const folder = makeFastFolder('crmkit-walk-')
  return { folder, databaseUrl: name === 'mongodb' ? newDatabaseUrl() : undefined }
}

export async function openWorld(name: WorldName, plant?: Plant): Promise<World> {
  const place = newPlace(name)
  const { end, ...served } = await serve(name, place, { nowMs: startsAtMs, plant })
  return {
    ...served,
    name,
    async stop() {
      await end()
      return emptied(place)
    },
  }
}

interface Serving {
  nowMs: number
  plant?: Plant | undefined
}

/** Starts a service in this process. */
export async function serve(
  name: WorldName,
  { folder, databaseUrl }: Place,
  { nowMs: startMs, plant }: Serving,
) {
  const config = loadConfig(
    {
      CRM_DATA_DIR: folder,
      PORT: '0',
      CRM_LOG_LEVEL: process.env['CRM_LOG_LEVEL'] ?? 'fatal',
      CRM_RATE_LIMITS: 'off',
      CRM_JWT_SECRET: 'the walk signs the tokens of sessions with this',
      CRM_SECRETS_KEY: 'the walk seals the secrets of webhooks with this',
      ...(databaseUrl !== undefined && { CRM_DATABASE_URL: databaseUrl }),
    },
    { dev: true },
  )
  let nowMs = startMs
  // Nothing listens there: no walk asks the name servers of the world.
  const options = { nameServers: ['127.0.0.1:9'], clock: { nowMs: () => nowMs } }
  const service = await pollingOften(name === 'sqlite' ? 40 : 80, () => composeService(config, options))
  plant?.(service)
  const listening = await listen(service, config)
  await service.start()
  const { system, eventPositions } = service.storage
  const isSequenced = eventPositions === 'after-commit'
  const pauseMs = name === 'sqlite' ? 3 : 10

  async function isBusy(): Promise<boolean> {
    const now = new Date(nowMs).toISOString()
    for (const [job, backlog] of jobBacklogs) {
      if (job === 'tasks') continue
      const due = await backlog.oldestDue(system, now)
      if (due !== null && due <= now) return true
    }
    if (!isSequenced) return false
    if ((await system.backlog(1)).unsequencedEvents > 0) return true
    // The service's own sequencer may have written the positions and not yet shown them.
    return (await system.sequenceEvents(500)).count > 0
  }

  return {
    url: listening.url,
    now: () => nowMs,
    advance: (ms: number) => {
      nowMs += ms
    },
    async settle() {
      const endsAt = performance.now() + waitMaxMs
      for (;;) {
        if (!(await isBusy())) {
          const [oldest] = await system.listTasks(1)
          if (oldest === undefined) return
          if (nowMs - Date.parse(oldest.task.requestedAt) < taskMs) nowMs += taskMs
        }
        if (performance.now() > endsAt) throw new Error(`${name}: background work does not end`)
        await wait(pauseMs)
      }
    },
    async end() {
      await listening.close()
      await service.stop()
    },
  }
}

/** Returns everything that a database and its files hold, and removes it. */
export async function emptied({ folder, databaseUrl }: Place): Promise<string> {
  const rows = databaseUrl === undefined ? '' : await readRaw({ folder, url: databaseUrl })
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.name}\n${readFileSync(path.join(entry.parentPath, entry.name), 'latin1')}`)
  if (databaseUrl !== undefined) await dropDatabase(databaseUrl)
  rmSync(folder, { recursive: true, force: true })
  return [rows, ...files].join('\n')
}
