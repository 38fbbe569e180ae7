// `npm run bench indexes`: the cost of each index of customers, conversations and messages in a commit of one row, on SQLite. It
// counts the bytes that the process writes, to the log and to the file, and its processor time, with all indexes and without each
// one of them. The bytes are the same on a busy machine.

import { readFileSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import SqliteDatabase from 'better-sqlite3'
import { openSqliteStorage } from '../src/adapters/sqlite/sqlite-storage.ts'
import type { TenantId } from '../src/storage/records.ts'
import { insertOf } from '../test/contracts/storage/samples.contract.ts'
import { printFigures } from './support/print-figures.ts'
import { RowMaker, seedRows } from './support/row-seed.ts'

const { values: options } = parseArgs({
  options: { rows: { type: 'string', default: '20000' }, commits: { type: 'string', default: '500' } },
})
const [rows, commits] = [Number(options.rows), Number(options.commits)]
const tenantId = 'ten_bench' as TenantId
const plan = { tenantId, rows, inboxId: 'inb_bench', onProgress() {} }
const kinds = ['customers', 'conversations', 'messages'] as const
type Kind = (typeof kinds)[number]

const folder = await mkdtemp(path.join(tmpdir(), 'crmkit-bench-'))
const seeded = path.join(folder, 'seeded.sqlite')

async function seed(): Promise<void> {
  const storage = await openSqliteStorage({ path: seeded })
  await storage.migrate()
  await seedRows(storage, plan, async () => {})
  await storage.close()
}

function indexesOf(kind: Kind): string[] {
  const db = new SqliteDatabase(seeded)
  const text = "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL"
  const found = db.prepare<string[], { name: string }>(text).all(kind)
  db.close()
  return found.map(({ name }) => name).filter((name) => !name.endsWith('_by_key'))
}

/** Bytes that this process gave to the system to write. */
const writtenBytes = () => Number(/^wchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])

interface Cost {
  bytes: number
  processorUs: number
}

async function measure(kind: Kind, without?: string): Promise<Cost> {
  const file = path.join(folder, 'measured.sqlite')
  await copyFile(seeded, file)
  if (without !== undefined) {
    const db = new SqliteDatabase(file)
    db.exec(`DROP INDEX ${without}`)
    db.close()
  }
  const storage = await openSqliteStorage({ path: file })
  const store = storage.forTenant(tenantId)
  const maker = new RowMaker(plan)
  const changes = Array.from({ length: commits }, (_, index) => {
    const { customer, conversation, messages } = maker.bundle(rows + index)
    const row = { customers: customer, conversations: conversation, messages: messages[0] }[kind]
    return { writes: [insertOf(kind, row as never)], events: [] }
  })
  const [before, processor] = [writtenBytes(), process.cpuUsage()]
  for (const change of changes) await store.commit(change)
  const { user, system } = process.cpuUsage(processor)
  await storage.close()
  const bytes = Math.round((writtenBytes() - before) / commits)
  for (const end of ['', '-wal', '-shm']) await rm(file + end, { force: true })
  return { bytes, processorUs: Math.round((user + system) / commits) }
}

try {
  await seed()
  const figures: Record<string, Record<string, number | string>> = {}
  for (const kind of kinds) {
    const all = await measure(kind)
    figures[kind] = { 'bytes written for a commit': all.bytes, 'processor, µs': all.processorUs }
    for (const index of indexesOf(kind)) {
      const { bytes, processorUs } = await measure(kind, index)
      figures[index] = {
        'bytes written for a commit': all.bytes - bytes,
        'processor, µs': all.processorUs - processorUs,
        '% of the bytes': Math.round((1 - bytes / all.bytes) * 100),
      }
    }
  }
  printFigures('indexes', figures, { rows, commits })
} finally {
  await rm(folder, { recursive: true, force: true })
}
