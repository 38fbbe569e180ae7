import { statSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { ExaminedDatabase, ExamineOptions, Finding } from '../../../ports/diagnosis.ts'
import { clockSkewMaxMs } from '../../../ports/diagnosis.ts'
import { storedKinds } from '../../../storage/kinds/derive.ts'
import type { DatabaseHandle } from '../connection/database.ts'
import { newestSchema } from '../connection/migrate.ts'
import { createSql } from '../connection/sql.ts'
import { tableOf } from '../rows/kinds.ts'
import { createTransferReader } from '../transfer/transfer-reader.ts'
import { isSlack, readFreePages } from '../upkeep/free-pages.ts'
import { examinePages } from './examine-pages.ts'

const busyTimeoutMs = 10_000

const none = { rows: undefined, close: async () => {} }

function only(finding: Finding): ExaminedDatabase {
  return { findings: [finding], ...none }
}

/** Returns a finding for a file that is missing or empty; undefined for one that can be opened. */
function examineFile(file: string): Finding | undefined {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) {
    return {
      outcome: 'warning',
      sentence: `There is no database ${file} yet: the first start creates it.`,
      mend: 'Where there was one, set CRM_DATA_DIR or CRM_DATABASE_URL as for the server, or restore a backup: crm-server restore FILE',
    }
  }
  if (stats.size > 0) return undefined
  return {
    outcome: 'problem',
    sentence: `${file} is empty, so its content is lost.`,
    mend: 'Restore the last backup (crm-server restore FILE), or delete the file to start with a new service',
  }
}

function isBehind(db: DatabaseHandle): boolean {
  return Number(db.pragma('user_version', { simple: true })) < newestSchema()
}

function examineSchema(db: DatabaseHandle): Finding {
  const current = Number(db.pragma('user_version', { simple: true }))
  const newest = newestSchema()
  if (current === newest)
    return { outcome: 'ok', sentence: `The database has schema ${current}, the newest.` }
  if (current > newest) {
    return {
      outcome: 'problem',
      sentence: `The database has schema ${current}, and this version of crm-server knows ${newest}.`,
      mend: 'Start the newer crm-server that has upgraded the database',
    }
  }
  return {
    outcome: 'warning',
    sentence: `The database has schema ${current}; the next start upgrades it to ${newest}.`,
    mend: 'crm-server migrate',
  }
}

/** SQLite has no clock of its own; its newest event says how late it was for an earlier process. */
function examineClock(db: DatabaseHandle, nowMs: number): Finding {
  const newest = db
    .prepare<[], { timestamp: string } | undefined>(
      'SELECT timestamp FROM events ORDER BY position DESC LIMIT 1',
    )
    .get()?.timestamp
  const aheadMs = newest === undefined ? 0 : Date.parse(newest) - nowMs
  if (aheadMs <= clockSkewMaxMs)
    return { outcome: 'ok', sentence: 'The clock of this machine is not behind the newest event.' }
  return {
    outcome: 'problem',
    sentence: `The clock of this machine is ${Math.round(aheadMs / 1000)} s behind the newest event.`,
    mend: 'Synchronize the clock by NTP',
  }
}

/** Counts the rows whose owner is missing. A running erasure deletes the owner first and hides such rows. */
function examineOwners(db: DatabaseHandle): Finding {
  const orphans = storedKinds.flatMap((kind) => {
    const { table, owners } = tableOf(kind)
    return Object.entries(owners).flatMap(([owner, column]) => {
      const parent = tableOf(owner as (typeof storedKinds)[number]).table
      const text = `SELECT count(*) AS count FROM ${table} AS child WHERE child.${column} IS NOT NULL
        AND child.${column} <> '' AND NOT EXISTS
        (SELECT 1 FROM ${parent} AS parent WHERE parent.tenant_id = child.tenant_id AND parent.id = child.${column})`
      const count = db.prepare<[], { count: number }>(text).get()?.count ?? 0
      return count === 0 ? [] : [`${count} of ${table} without their ${parent}`]
    })
  })
  if (orphans.length === 0) return { outcome: 'ok', sentence: 'Every row has its owner.' }
  const isErasing = db.prepare('SELECT 1 FROM tasks LIMIT 1').get() !== undefined
  return {
    outcome: isErasing ? 'warning' : 'problem',
    sentence: `Rows are left without their owner: ${orphans.join(', ')}.`,
    mend: isErasing
      ? 'An erasure is running; let the server finish it and run crm-server doctor --all again'
      : 'Restore a backup in a directory of its own and compare: crm-server restore FILE',
  }
}

/** Runs one examination; a damaged page may end it. */
function attempt(what: string, examine: () => Finding): Finding {
  try {
    return examine()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return {
      outcome: 'problem',
      sentence: `${what} cannot be read: ${reason}.`,
      mend: 'Mend what the other lines about the database say, then run crm-server doctor again',
    }
  }
}

function openReadOnly(file: string): DatabaseHandle | Finding {
  let db: DatabaseHandle | undefined
  try {
    db = new Database(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs })
    // Opening a file reads nothing of it.
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    return db
  } catch (error) {
    db?.close()
    return unreadable(file, error)
  }
}

function unreadable(file: string, error: unknown): Finding {
  const code = error instanceof Database.SqliteError ? error.code : ''
  const restore = 'Restore the last backup: crm-server restore FILE'
  if (code === 'SQLITE_NOTADB') {
    const sentence = `${file} is not an SQLite database, or its first page is damaged.`
    return { outcome: 'problem', sentence, mend: restore }
  }
  if (code.startsWith('SQLITE_CORRUPT')) {
    const sentence = `The database file is damaged: the list of its tables cannot be read (${file}).`
    return { outcome: 'problem', sentence, mend: restore }
  }
  const reason = error instanceof Error ? error.message : String(error)
  return {
    outcome: 'problem',
    sentence: `${file} cannot be read: ${reason}.`,
    mend: 'Run crm-server doctor as the user of the server, who may read the file and write to its directory',
  }
}

/** Says how much of the file holds nothing. */
function examineSpace(db: DatabaseHandle): Finding {
  const found = readFreePages(db)
  const { pages, free, pageBytes, canShrink } = found
  const megabytes = (count: number) => Math.round((count * pageBytes) / 1_000_000)
  const sentence = `Of the ${megabytes(pages)} MB of the database file, ${megabytes(free)} MB hold nothing.`
  if (!isSlack(found)) return { outcome: 'ok', sentence }
  if (canShrink)
    return { outcome: 'ok', sentence: `${sentence} A running server gives them back to the disk.` }
  return { outcome: 'warning', sentence, mend: 'Stop the server and run crm-server compact' }
}

/** Examines a database file without changing it, also while a server uses it and when none can start with it. */
export function examineSqlite(file: string, { isThorough }: ExamineOptions): ExaminedDatabase {
  const missing = examineFile(file)
  if (missing !== undefined) return only(missing)
  const db = openReadOnly(file)
  if ('outcome' in db) return only(db)
  const findings = [
    attempt('The schema', () => examineSchema(db)),
    attempt('The file', () => examinePages(db, { isThorough })),
    attempt('The free space', () => examineSpace(db)),
    attempt('The newest event', () => examineClock(db, Date.now())),
  ]
  // The tables of an earlier version are other ones.
  if (isThorough && !isBehind(db)) findings.push(attempt('The owners of the rows', () => examineOwners(db)))
  const reader = createTransferReader(createSql(db, 'reader'))
  return {
    findings,
    isBehind: isBehind(db),
    rows: {
      count: async (kind) => reader.count(kind),
      readPage: async (kind, after) => reader.readPage(kind, after),
      findMissing: async (kind, refs) => reader.findMissing(kind, refs),
    },
    close: async () => void db.close(),
  }
}
