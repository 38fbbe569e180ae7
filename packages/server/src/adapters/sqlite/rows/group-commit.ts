import { createIdFactory } from '@crmkit/core/vocabulary'
import type { RetentionBounds, UsageIncrement } from '../../../ports/system-store.ts'
import { passFaultPoint } from '../../../shared/fault-points.ts'
import type { AttemptRecord } from '../../../storage/kinds/attempts.ts'
import {
  type DatabaseHandle,
  type DatabaseOptions,
  openWriterDatabase,
  undoInMemory,
} from '../connection/database.ts'
import { migrateDatabase } from '../connection/migrate.ts'
import { createSql } from '../connection/sql.ts'
import { type ErrorData, toErrorData } from '../connection/sqlite-errors.ts'
import { createAttemptWriter, type RowResult } from '../deliveries/attempt-writer.ts'
import { replanAttempts } from '../deliveries/replan-attempts.ts'
import { createEraser } from '../erasure/erase.ts'
import { createEventWriter } from '../events/event-writer.ts'
import { createSearchIndexer } from '../search/search-indexer.ts'
import type { WireReply, WireRequest, WriterCalls } from '../threads/wire.ts'
import { beginUse } from '../transfer/copy-progress.ts'
import { createShrink } from '../upkeep/free-pages.ts'
import { createHousekeeping, type KeyUse } from '../upkeep/housekeeping.ts'
import { countLabelDay } from '../upkeep/label-days.ts'
import { createLeases } from '../upkeep/leases.ts'
import { createTenantRemoval } from '../upkeep/tenant-removal.ts'

import { createCommit } from './commit.ts'
import { createRowNumbers } from './row-numbers.ts'
import { createRowWriter } from './row-writer.ts'

type Handlers = { [C in keyof WriterCalls]: (request: WriterCalls[C]['request']) => WriterCalls[C]['reply'] }

function createWriter(db: DatabaseHandle) {
  const sql = createSql(db, 'writer')
  const indexer = createSearchIndexer(sql)
  const numbers = createRowNumbers(sql)
  const rows = createRowWriter({ sql, indexer, nextRowNumber: numbers.next })
  const events = createEventWriter(sql)
  const attempts = createAttemptWriter(sql)
  const ids = createIdFactory(() => Date.now())
  const eraser = createEraser({ sql, rows, ids })
  const commit = createCommit({ sql, rows, events, attempts, eraser, ids })
  const housekeeping = createHousekeeping(sql, rows, createShrink(db))
  const leases = createLeases(sql)
  const handlers: Handlers = {
    commit: ({ tenantId, change }) => commit(tenantId, change),
    eraseNext: ({ tenantId, page }) => eraser.next(tenantId, page),
    finish: (request: readonly RowResult[]) => attempts.finish(request),
    record: ({ tenantId, attempt }: { tenantId: string; attempt: AttemptRecord }) => {
      attempts.record(tenantId, attempt)
      return null
    },
    replan: (request) => replanAttempts(sql, request),
    removeExpired: (request: RetentionBounds) => housekeeping.removeExpired(request),
    removeTenantRows: createTenantRemoval(sql, rows),
    takeLease: leases.take,
    releaseLease: (request) => {
      leases.release(request)
      return null
    },
    endLeases: () => {
      leases.endAll()
      return null
    },
    touchApiKeys: (request: readonly KeyUse[]) => {
      housekeeping.touchApiKeys(request)
      return null
    },
    addUsage: (request: readonly UsageIncrement[]) => {
      housekeeping.addUsage(request)
      return null
    },
    addRequestMetrics: (request) => {
      housekeeping.addRequestMetrics(request)
      return null
    },
    countLabelDay: (request) => countLabelDay(sql, request),
    ping: ({ at }) => {
      housekeeping.beat(at)
      return null
    },
  }
  /** Clears what is cached of the database: a rolled-back write, or one of another process, may have made it wrong. */
  function forget(): void {
    events.forgetAll()
    numbers.forget()
  }
  return { handlers, indexer, forget }
}

/**
 * The only writer of this process. The calls of a group share one transaction and one wait for the disk; each has a
 * savepoint of its own, so that a refused call rolls back only itself. No call gets its reply before the COMMIT has
 * reached the disk.
 */
export function createGroupCommit(options: DatabaseOptions) {
  const db = openWriterDatabase(options)
  migrateDatabase(db)
  undoInMemory(db)
  beginUse(db)
  const { handlers, indexer, forget } = createWriter(db)
  const begin = db.prepare<[]>('BEGIN IMMEDIATE')
  const commit = db.prepare<[]>('COMMIT')
  const rollback = db.prepare<[]>('ROLLBACK')
  const save = db.prepare<[]>('SAVEPOINT work')
  const release = db.prepare<[]>('RELEASE work')
  const undo = db.prepare<[]>('ROLLBACK TO work')
  // Prepared once: the pragma by its name is parsed anew each time.
  const readDataVersion = db.prepare<[], number>('PRAGMA data_version').pluck()
  let dataVersion = readDataVersion.get()

  function runOne({ id, call, request }: WireRequest): WireReply {
    save.run()
    try {
      const handler = handlers[call as keyof WriterCalls] as (request: unknown) => unknown
      const reply = handler(request)
      release.run()
      indexer.stage()
      return { id, reply }
    } catch (error) {
      indexer.forget()
      forget()
      // A full disk ends the whole transaction; the group then fails as one.
      if (!db.inTransaction) throw error
      undo.run()
      release.run()
      return { id, error: toErrorData(error) }
    }
  }

  function failAll(requests: readonly WireRequest[], error: unknown): WireReply[] {
    indexer.forget()
    indexer.drop()
    forget()
    try {
      if (db.inTransaction) rollback.run()
    } catch {
      // The first error is the one to report.
    }
    const data = toErrorData(error)
    const failure: ErrorData = data.type === 'other' ? { type: 'unavailable', message: data.message } : data
    return requests.map(({ id }) => ({ id, error: failure }))
  }

  function run(requests: readonly WireRequest[]): WireReply[] {
    try {
      begin.run()
      const version = readDataVersion.get()
      if (version !== dataVersion) forget()
      dataVersion = version
      const replies = requests.map(runOne)
      indexer.flush()
      passFaultPoint('before-durable')
      commit.run()
      passFaultPoint('after-durable')
      return replies
    } catch (error) {
      return failAll(requests, error)
    }
  }

  return {
    run,
    close(): void {
      try {
        db.pragma('wal_checkpoint(TRUNCATE)')
      } catch {
        // A full or failing disk: the log stays as it is, and the next opening reads it.
      }
      db.close()
    },
  }
}
