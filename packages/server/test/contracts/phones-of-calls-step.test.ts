import path from 'node:path'
import { createIdFactory } from '@crmkit/core'
import { expect, test } from 'vitest'
import { createRunTasks } from '../../src/jobs/run-tasks.ts'
import { taskHandlers } from '../../src/main/compose/job-registry.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { phonesOfCallsStep } from '../../src/upgrades/phones-of-calls.ts'
import { changeStoredKey } from '../support/change-stored-row.ts'
import { noRecords } from '../support/no-records.ts'
import { silentLog } from '../support/silent-log.ts'
import { openTestDatabase } from '../support/test-world.ts'
import { add, insertOf, sample } from './storage/samples.contract.ts'

test('calls of an earlier version are found by their numbers, so that an erasure finds them', async () => {
  const { storage, url, folder, remove } = await openTestDatabase()
  const databaseUrl = url ?? `sqlite:${path.join(folder, 'crm.db')}`
  const clock = { nowMs: () => Date.parse('2026-11-27T12:00:00.000Z') }
  const ids = createIdFactory(clock.nowMs)
  const tenantId = ids.next('ten') as TenantId
  const tenant = insertOf('tenants', sample.tenants(tenantId, { _id: tenantId }))
  await storage.system.commit(tenantId, { writes: [tenant], events: [] })
  const store = storage.forTenant(tenantId)
  const numbers = { from: '+49 (0)151 2345-6789', to: '+15550000001' }
  const [call] = await add(store, 'calls', [{ _id: 'cal_1', ...numbers }])
  const found = async () => {
    const lists = [{ fromTail: '23456789' }, { toTail: '50000001' }]
    const pages = await Promise.all(
      lists.map((filter) => store.calls.list({ ...filter, page: 1, limit: 10 })),
    )
    return pages.map(({ total }) => total)
  }
  for (const key of ['fromTail', 'toTail'])
    await changeStoredKey({ databaseUrl, kind: 'calls', id: call?._id ?? '', key }, 'none')
  expect(await found()).toEqual([0, 0])
  const parts = {
    storage,
    clock,
    ids,
    log: silentLog,
    attachments: { remove: async () => {} },
    handlers: taskHandlers,
    senderOfMail: async () => null,
    erasures: noRecords,
    holder: 'test',
  }
  await createRunTasks({ ...parts, steps: [phonesOfCallsStep] }).runDue()
  expect(await found()).toEqual([1, 1])
  expect((await storage.system.findTenant(tenantId))?.upgrades).toMatchObject({
    phonesOfCalls: { skipped: 0 },
  })
  await storage.close()
  await remove()
})
