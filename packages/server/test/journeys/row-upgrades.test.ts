import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMongoStorage } from '../../src/adapters/mongo/mongo-storage.ts'
import { openSqliteStorage } from '../../src/adapters/sqlite/sqlite-storage.ts'
import type { Storage } from '../../src/ports/storage.ts'
import { externalLinkId } from '../../src/storage/external-ids.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { add } from '../contracts/storage/samples.contract.ts'
import { call, registerTenant } from '../support/call.ts'
import { runProgram, serverProgram, startNodeProgram } from '../support/programs.ts'
import { newTestWorld, type TestWorld } from '../support/test-world.ts'

const preload = fileURLToPath(new URL('../faults/support/preload/preload.ts', import.meta.url))
const count = 450

let dataDir: string
let world: TestWorld
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-upgrade-'))
  world = newTestWorld()
})
afterEach(async () => {
  await world.remove()
  rmSync(dataDir, { recursive: true, force: true })
})

const environment = () => ({ PORT: '0', CRM_DATA_DIR: dataDir, ...world.variables })

function start(plan: object = {}) {
  const env = { ...environment(), FAULT_PLAN: JSON.stringify(plan) }
  const nodeArgs = ['--import', preload]
  return startNodeProgram({ file: serverProgram, args: ['start', '--dev'], env, nodeArgs })
}

async function inStorage<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
  const url = world.variables['CRM_DATABASE_URL']
  const storage = await (url
    ? openMongoStorage({ url })
    : openSqliteStorage({ path: path.join(dataDir, 'crm.sqlite') }))
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

/** Makes the data of a version that kept the external ids of requests apart; customer 0 has the id of an imported one. */
async function makeOld(storage: Storage, id: TenantId): Promise<void> {
  const store = storage.forTenant(id)
  const numbers = Array.from({ length: count }, (_, at) => at)
  const customers = numbers.map((n) => ({ _id: `cus_${n}`, externalIds: [`shop:${n}`] }))
  await add(store, 'customers', [...customers, { _id: 'cus_imported', externalIds: ['shop:0'] }])
  const links = numbers.map((n) => ({ _id: externalLinkId(`shop:${n}`), customerId: `cus_${n}` }))
  await add(store, 'externalLinks', links)
  const owners = { entityId: 'cus_imported', customerId: 'cus_imported', conversationId: null }
  const link = { externalId: 'shop:0', entityKind: 'customers', lastRunId: 'imp_1', ...owners } as const
  await add(store, 'importLinks', [{ _id: externalLinkId('shop:0'), ...link }])
  const { version = 0 } = (await storage.system.findTenant(id)) ?? {}
  const set = { upgrades: {} }
  const write = { op: 'update', kind: 'tenants', id, expectVersion: version, set } as const
  await storage.system.commit(id, { writes: [write], events: [] })
}

test('an upgrade of rows goes on where a killed process left it, and requests find the same customers all the time', async () => {
  const first = await start()
  const { token, tenant } = await registerTenant(first.url)
  await first.kill('SIGTERM')
  await inStorage((storage) => makeOld(storage, tenant._id as TenantId))

  const second = await start({ crash: { point: 'between-upgrade-pages', passage: 2 } })
  const died = once(second.process, 'exit')
  await died

  const third = await start()
  const put = async (n: number) => {
    const at = `/api/v1/customers/by-external-id/shop/${n}`
    const body = { jobTitle: 'Found' }
    return (await call(third.url, { method: 'PUT', path: at, token, body })).body.data?._id
  }
  for (let n = 1; n < count; n += 50) expect(await put(n)).toBe(`cus_${n}`)
  expect(await put(0)).toBe('cus_imported')
  await inStorage(async (storage) => {
    const done = async () => (await storage.system.findTenant(tenant._id))?.upgrades
    await expect
      .poll(done)
      .toMatchObject({ externalLinks: { skipped: 0, notes: [{ ids: ['cus_imported', 'cus_0'] }] } })
    const store = storage.forTenant(tenant._id as TenantId)
    for (let n = 1; n < count; n++) {
      const id = externalLinkId(`shop:${n}`)
      expect(await store.importLinks.find(id)).toMatchObject({ entityId: `cus_${n}`, version: 1 })
      expect(await store.externalLinks.find(id)).toBeUndefined()
    }
  })
  for (let n = 1; n < count; n += 70) expect(await put(n)).toBe(`cus_${n}`)
  await third.kill('SIGTERM')

  const { stdout } = await runProgram(serverProgram, ['doctor'], { env: environment() })
  expect(stdout).toContain('The customers cus_imported and cus_0 had one external id')
})
