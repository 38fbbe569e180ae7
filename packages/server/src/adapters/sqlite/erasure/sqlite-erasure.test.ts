import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { add, at, sampleEvent } from '../../../../test/contracts/storage/samples.contract.ts'
import type { TenantId } from '../../../storage/records.ts'
import { openSqliteStorage } from '../sqlite-storage.ts'

/** In lower case, as in the search columns. */
const marker = 'qwertzuiop'
const tenantId = 'ten_1' as TenantId

/** Counts the marker in the files of the folder, also in bytes that SQLite does not use. */
async function countMarkers(folder: string): Promise<number> {
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name))))
  return files.reduce(
    (count, bytes) => count + bytes.toString('latin1').toLowerCase().split(marker).length - 1,
    0,
  )
}

test('erased data is not in the bytes of the closed file, and neither are its earlier versions', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'crmkit-sqlite-'))
  const open = () => openSqliteStorage({ path: path.join(folder, 'crm.db') })
  const storage = await open()
  const store = storage.forTenant(tenantId)
  const profile = { firstName: marker, lastName: null, email: null, phone: null, company: null }
  await add(store, 'customers', [{ _id: 'cus_1', profile }, { _id: 'cus_2' }])
  await add(store, 'conversations', [{ _id: 'con_1', customerId: 'cus_1', subject: `${marker} calls` }])
  const contents = Array.from({ length: 200 }, (_, index) => `${marker} ${'long '.repeat(index * 20)}`)
  await add(
    store,
    'messages',
    contents.map((content) => ({ conversationId: 'con_1', content })),
  )
  const event = { ...sampleEvent({ about: 'cus_1' }), body: `{"data":"${marker}"}` }
  await store.commit({ writes: [], events: [event] })
  const renamed = { profile: { ...profile, firstName: 'Someone' } }
  const rename = { op: 'update', kind: 'customers', id: 'cus_1', expectVersion: 1, set: renamed } as const
  await store.commit({ writes: [rename], events: [] })
  const erasure = { kind: 'customers', id: 'cus_1', at: at(9_000) } as const
  await store.commit({ writes: [{ op: 'erase', ...erasure }], events: [] })
  while ((await store.eraseNext({ ...erasure, limit: 500 })) > 0);
  await storage.close()
  expect(await countMarkers(folder)).toBe(0)
  const again = await open()
  expect(await again.forTenant(tenantId).customers.find('cus_2')).toBeDefined()
  await again.close()
  await rm(folder, { recursive: true })
})
