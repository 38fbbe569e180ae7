import { readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { pollEveryMs } from '../../src/jobs/background-job.ts'
import {
  backgroundJobs,
  eventSequencing,
  type JobName,
  jobBacklogs,
  jobNames,
} from '../../src/main/compose/job-registry.ts'
import { composeService, type Service } from '../../src/main/compose/service.ts'
import { loadConfig } from '../../src/main/config/config.ts'
import { listen } from '../../src/main/listen.ts'
import { makeFastFolder } from '../support/fast-folder.ts'
import { migratedDatabase } from '../support/mongo-database.ts'
import { readRaw } from '../support/read-raw.ts'
import { DrivenQueue, DrivenSequencer } from './driven-work.ts'

export type WorldName = 'sqlite' | 'mongodb'

/** A whole service on a database of its own, whose clock stands still between the steps. */
export interface World {
  readonly name: string
  readonly url: string
  now(): number
  advance(ms: number): void
  /** Resolves when no background work is left that is due now. */
  settle(): Promise<void>
  /** Returns whether there may be events since the last call; without it, there may always be some. */
  takeEvents?(): boolean
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
const pauseMs = 2
/** The longest period of a timer. */
const neverMs = 2 ** 31 - 1

/** A job of the walk does what `settle` asks of it: it polls by no timer of the machine, which does not know the clock of the walk. */
async function withoutTimers<Made>(sequencer: DrivenSequencer, make: () => Promise<Made>): Promise<Made> {
  const before = Object.values(backgroundJobs).map((job) => [job, job.pollEveryMs] as const)
  const { make: makeSequencer } = eventSequencing
  for (const [job] of before) Object.assign(job, { pollEveryMs: neverMs })
  Object.assign(eventSequencing, { make: sequencer.make })
  try {
    return await make()
  } finally {
    for (const [job, pollEveryMs] of before) Object.assign(job, { pollEveryMs })
    Object.assign(eventSequencing, { make: makeSequencer })
  }
}

/** Puts a mistake into a service. */
export type Plant = (service: Service) => void

/** Where a world keeps what it stores. */
export interface Place {
  readonly folder: string
  readonly databaseUrl: string | undefined
  /** Leaves the database for the next place, without rows. */
  removeDatabase?(): Promise<void>
}

export function newPlace(name: WorldName): Place {
  const folder = makeFastFolder('crmkit-walk-')
  if (name === 'sqlite') return { folder, databaseUrl: undefined }
  const { url, remove } = migratedDatabase()
  return { folder, databaseUrl: url, removeDatabase: remove }
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
  const clock = { nowMs: () => nowMs }
  const queue = new DrivenQueue(clock)
  const sequencer = new DrivenSequencer()
  // Nothing listens there: no walk asks the name servers of the world.
  const options = { nameServers: ['127.0.0.1:9'], clock, queue }
  const service = await withoutTimers(sequencer, () => composeService(config, options))
  plant?.(service)
  const listening = await listen(service, config)
  await service.start()
  const { system } = service.storage
  /** Jobs that get a poll with the next settling. */
  const unpolled = new Set<JobName>(jobNames)
  /** Jobs that have had a poll, and may have work left. */
  const unsure = new Set<JobName>()
  queue.onWake = (job) => unsure.add(job as JobName)
  let hasEvents = true
  service.storage.onCommitted(({ change }) => {
    if (change.events.length > 0) hasEvents = true
    // Nothing wakes this job: it polls.
    if (change.writes.some(({ kind, op }) => kind === 'attachments' || op === 'erase'))
      unpolled.add('attachments')
  })

  async function oldestDue(job: JobName): Promise<string | undefined> {
    const now = new Date(nowMs).toISOString()
    const due = await jobBacklogs.get(job)?.oldestDue(system, now)
    // No attempt of a walk is made again: one that is due later is being made, and this is the end of its lease.
    const isDue = due != null && (due <= now || job === 'deliveries')
    return isDue ? due : undefined
  }

  /** Leaves those jobs unsure that have work which is due, and polls them. */
  async function pollUnsure(): Promise<void> {
    for (const job of [...unsure]) {
      if (job === 'tasks') continue
      // A wake-up during the question counts.
      unsure.delete(job)
      if ((await oldestDue(job)) !== undefined) queue.wake(job)
    }
    if (unsure.size > 1 || !unsure.delete('tasks')) return
    const oldest = await oldestDue('tasks')
    if (oldest === undefined) return
    // A task stays for a time after its last page.
    if (nowMs - Date.parse(oldest) < taskMs) nowMs += taskMs
    queue.wake('tasks')
  }

  return {
    url: listening.url,
    now: () => nowMs,
    advance: (ms: number) => {
      nowMs += ms
      // By then each job would have polled.
      if (ms > pollEveryMs) for (const job of jobNames) unpolled.add(job)
    },
    takeEvents() {
      const had = hasEvents
      hasEvents = false
      return had
    },
    async settle() {
      const endsAt = performance.now() + waitMaxMs
      for (;;) {
        for (const job of unpolled) queue.wake(job)
        unpolled.clear()
        queue.wakePlanned()
        await queue.idle()
        await sequencer.sequence()
        await pollUnsure()
        if (unsure.size === 0 && unpolled.size === 0 && queue.isIdle() && !sequencer.isWoken) return
        if (performance.now() > endsAt) throw new Error(`${name}: background work does not end`)
        // Deliveries, mails and imports go on after the poll that began them.
        await wait(pauseMs)
      }
    },
    async end() {
      await listening.close()
      await service.stop()
    },
  }
}

/**
 * Writes all pages anew. SQLite overwrites what it deletes (`secure_delete`), but not the copy that it leaves in unused space when it
 * moves a row between pages, so this finds what any row or index still holds (ADR 0010).
 */
function rewriteDatabase(file: string): void {
  const db = new Database(file)
  db.exec('VACUUM')
  db.close()
}

/** Returns everything that a database and its files hold, and removes it. */
export async function emptied({ folder, databaseUrl, removeDatabase }: Place): Promise<string> {
  const rows = databaseUrl === undefined ? '' : await readRaw({ folder, url: databaseUrl })
  if (databaseUrl === undefined) rewriteDatabase(path.join(folder, 'crm.sqlite'))
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.name}\n${readFileSync(path.join(entry.parentPath, entry.name), 'latin1')}`)
  await removeDatabase?.()
  rmSync(folder, { recursive: true, force: true })
  return [rows, ...files].join('\n')
}
