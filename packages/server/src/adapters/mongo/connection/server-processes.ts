import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { version } from '../../../shared/version.ts'
import type { Database } from './access.ts'
import { trusted } from './filters.ts'
import { readSchemaState } from './schema-state.ts'

const seenEveryMs = 5_000
/** A process that was not seen for so long has ended, or asks for the schema before its next call. */
const aliveMs = 30_000
/** Ends before the process counts as ended, so that a call which was let through is short of that moment. */
const provenMs = 25_000
const keptMs = 24 * 60 * 60 * 1000
const idPrefix = 'process:'

export interface ServerProcess {
  processId: string
  version: string
  schema: number
  seenAt: Date
}

/** Returns the processes that use the database, by the clock of the database. */
export async function findProcesses(database: Database): Promise<ServerProcess[]> {
  const found = await database
    .across()
    .pipe<{ row: ServerProcess }>('serverState', [
      { $match: { _id: { $regex: `^${idPrefix}` } } },
      { $match: { $expr: { $gt: ['$row.seenAt', { $subtract: ['$$NOW', aliveMs] }] } } },
    ])
  return found.map(({ row }) => row)
}

export interface OwnProcess {
  /** Makes this process known to others, and again every five seconds. */
  begin(): Promise<void>
  /** Resolves when it is certain that this process may use the database; undefined: it is. */
  proof(): Promise<void> | undefined
  /** Ends before the storage closes; `leave` then removes what others know. */
  stop(): Promise<void>
  leave(): Promise<void>
}

/**
 * Reports to others that this process uses the database with its schema, and notices when they have made an upgrade that programs
 * of this schema may not serve: `onUpgraded` is called once, with a sentence, and the process is no longer kept alive.
 */
export function createOwnProcess(
  database: Database,
  schema: number,
  onUpgraded: (sentence: string) => void,
): OwnProcess {
  const processId = `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`
  const id = `${idPrefix}${processId}`
  const across = database.across()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let provenAtMs = 0

  async function beat(): Promise<void> {
    const row = { processId, version, schema }
    const fields = Object.entries(row).map(([name, value]) => [`row.${name}`, value] as const)
    await across.upsert('serverState', id, {
      $set: Object.fromEntries(fields),
      $currentDate: { 'row.seenAt': true },
    })
    const startedAtMs = performance.now()
    const state = await readSchemaState(database)
    provenAtMs = startedAtMs
    if (state === undefined || schema >= state.servedFrom) return
    clearInterval(timer)
    timer = undefined
    onUpgraded(
      `the database has schema ${state.version}, and this process works with ${schema}: start a newer crm-server`,
    )
  }

  function beatOnce(): Promise<void> {
    running ??= beat().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    async begin() {
      if (timer !== undefined) return
      const before = new Date(Date.now() - keptMs)
      await across.remove('serverState', { 'row.seenAt': trusted({ $lt: before }) })
      // A database that is away is noticed by the calls themselves.
      timer = setInterval(() => void beatOnce().catch(() => {}), seenEveryMs).unref()
      await beatOnce()
    },
    proof: () => (timer === undefined || performance.now() - provenAtMs < provenMs ? undefined : beatOnce()),
    async stop() {
      clearInterval(timer)
      timer = undefined
      await running?.catch(() => {})
    },
    async leave() {
      const isAway = performance.now() - provenAtMs > 2 * seenEveryMs
      if (isAway) return
      await across.remove('serverState', { _id: id }).catch(() => {})
    },
  }
}
