import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { add, insertOf, sample } from '../../../test/contracts/storage/samples.contract.ts'
import { openSqliteStorage } from '../../adapters/sqlite/sqlite-storage.ts'
import type { TenantStore } from '../../ports/storage.ts'
import type { TenantId } from '../../storage/records.ts'
import { handleExportOwnData } from './export-own-data.ts'

const entries = 20_000
const pageSize = 100

async function openStore(): Promise<TenantStore> {
  const folder = mkdtempSync(path.join(tmpdir(), 'crmkit-export-'))
  const storage = await openSqliteStorage({ path: path.join(folder, 'crm.sqlite') })
  await storage.migrate()
  onTestFinished(async () => {
    await storage.close()
    rmSync(folder, { recursive: true })
  })
  return storage.forTenant('ten_1' as TenantId)
}

/** Counts the rows of the audit log that were read. */
function counting(store: TenantStore) {
  const counted = { rows: 0 }
  const auditLog: TenantStore['auditLog'] = {
    ...store.auditLog,
    async listRows(filter) {
      const page = await store.auditLog.listRows(filter)
      counted.rows += page.rows.length
      return page
    },
  }
  return { counted, store: { ...store, auditLog } }
}

test('an export of 20,000 entries reads no more rows ahead than one page and one chunk have', async () => {
  const real = await openStore()
  const [user] = await add(real, 'users', [{ _id: 'usr_1' }])
  if (user === undefined) throw new Error('no user was added')
  const actor = { type: 'user', _id: user._id } as const
  for (let made = 0; made < entries; made += 2_000) {
    const rows = Array.from({ length: 2_000 }, () => sample.auditLog(real.tenantId, { actor }))
    await real.commit({ writes: rows.map((row) => insertOf('auditLog', row)), events: [] })
  }
  const { counted, store } = counting(real)
  const ctx = {
    store,
    actor: { type: 'user', _id: user._id },
    now: '2026-01-01T00:00:00.000Z',
    listMemberships: async () => [],
  }
  const input = { params: {}, body: {}, query: { format: 'json' } }
  const download = await handleExportOwnData(ctx as never, input as never)
  let sent = 0
  let aheadMax = 0
  let chunkMax = 0
  for await (const chunk of await download.open()) {
    const inChunk = String(chunk).split('"_id":"aud_').length - 1
    sent += inChunk
    aheadMax = Math.max(aheadMax, counted.rows - sent)
    chunkMax = Math.max(chunkMax, inChunk)
  }
  expect([sent, counted.rows]).toEqual([entries, entries])
  expect(chunkMax).toBeLessThan(1_000)
  expect(aheadMax).toBeLessThanOrEqual(pageSize)
})
