import { createIdFactory } from '@crmkit/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRunTasks } from '../../src/jobs/run-tasks.ts'
import { taskHandlers } from '../../src/main/compose/job-registry.ts'
import { findLink, movedLinks, removedLinks } from '../../src/shared/given-link.ts'
import { externalLinkId } from '../../src/storage/external-ids.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { upgradeSteps } from '../../src/upgrades/steps.ts'
import { noRecords } from '../support/no-records.ts'
import { silentLog } from '../support/silent-log.ts'
import { openTestDatabase } from '../support/test-world.ts'
import { add, insertOf, sample } from './storage/samples.contract.ts'

// External ids that requests of an earlier version gave, in a kind of their own beside the ids of imports.

let opened: Awaited<ReturnType<typeof openTestDatabase>>
beforeEach(async () => {
  opened = await openTestDatabase()
})
afterEach(async () => {
  await opened.storage.close()
  await opened.remove()
})

const clock = { nowMs: () => Date.parse('2026-11-21T12:00:00.000Z') }
const ids = createIdFactory(clock.nowMs)

async function upgrade(): Promise<void> {
  const { storage } = opened
  const holder = ids.next('tsk')
  const parts = {
    storage,
    clock,
    ids,
    log: silentLog,
    attachments: { remove: async () => {} },
    handlers: taskHandlers,
    steps: upgradeSteps,
    erasures: noRecords,
    holder,
    senderOfMail: async () => null,
  }
  await createRunTasks(parts).runDue()
}

async function oldTenant() {
  const { storage } = opened
  const id = ids.next('ten') as TenantId
  const tenant = sample.tenants(id, { _id: id })
  await storage.system.commit(id, { writes: [insertOf('tenants', tenant)], events: [] })
  const store = storage.forTenant(id)
  return {
    id,
    store,
    customer: (_id: string, ...externalIds: string[]) => add(store, 'customers', [{ _id, externalIds }]),
    given: (text: string, customerId: string) =>
      add(store, 'externalLinks', [{ _id: externalLinkId(text), customerId }]),
    imported: (text: string, entityId: string) =>
      add(store, 'importLinks', [
        {
          _id: externalLinkId(text),
          externalId: text,
          module: 'Contacts',
          entityKind: 'customers',
          entityId,
          customerId: entityId,
          conversationId: null,
          lastRunId: 'imp_1',
        },
      ]),
    linkOf: (text: string) => store.importLinks.find(externalLinkId(text)),
    oldOf: (text: string) => store.externalLinks.find(externalLinkId(text)),
    done: async () => (await storage.system.findTenant(id))?.upgrades?.['externalLinks'],
  }
}

test('an id that a request gave becomes a link of the one register, which no import stands behind', async () => {
  const tenant = await oldTenant()
  await tenant.customer('c1', 'crm:1', 'shop:1')
  await tenant.given('shop:1', 'c1')
  expect(await findLink(tenant.store, externalLinkId('shop:1'))).toMatchObject({ entityId: 'c1', version: 0 })
  await upgrade()
  expect(await tenant.oldOf('shop:1')).toBeUndefined()
  const link = await tenant.linkOf('shop:1')
  expect(link).toMatchObject({
    externalId: 'shop:1',
    module: 'api',
    entityKind: 'customers',
    entityId: 'c1',
    customerId: 'c1',
    madeBy: null,
    lastRunId: '',
    payloadHash: '',
    importedValues: {},
    rowVersion: 0,
  })
  expect(await findLink(tenant.store, externalLinkId('shop:1'))).toEqual(link)
  expect(await tenant.store.customers.find('c1')).toMatchObject({ version: 1 })
  expect(await tenant.done()).toEqual({ doneAt: '2026-11-21T12:00:00.000Z', skipped: 0 })
})

test('of two customers with one id the imported one keeps it, and the release is audited, announced and noted', async () => {
  const tenant = await oldTenant()
  await tenant.customer('c1', 'shop:1', 'shop:2')
  await tenant.customer('c2', 'shop:1')
  await tenant.imported('shop:1', 'c2')
  await tenant.given('shop:1', 'c1')
  const before = await tenant.linkOf('shop:1')
  await upgrade()
  expect(await tenant.linkOf('shop:1')).toEqual(before)
  expect(await tenant.oldOf('shop:1')).toBeUndefined()
  expect(await tenant.store.customers.find('c1')).toMatchObject({ externalIds: ['shop:2'], version: 2 })
  expect(await tenant.store.customers.find('c2')).toMatchObject({ externalIds: ['shop:1'], version: 1 })
  expect(await tenant.done()).toMatchObject({ notes: [{ kind: 'customers', ids: ['c2', 'c1'] }] })
  const { rows } = await tenant.store.auditLog.list({ page: 1, limit: 10 })
  expect(rows).toMatchObject([
    {
      action: 'customer.externalIdReleased',
      actor: { type: 'system' },
      target: { type: 'customer', _id: 'c1' },
      changed: ['externalIds'],
    },
  ])
  expect(JSON.stringify(rows)).not.toContain('shop:')
  if (opened.storage.eventPositions === 'after-commit') await opened.storage.system.sequenceEvents(10)
  const events = await tenant.store.events.read({ types: ['customer.updated'], limit: 10 })
  expect(events.map(({ body }) => JSON.parse(body).data)).toMatchObject([
    { _id: 'c1', externalIds: ['shop:2'] },
  ])
})

test('a link that both registers have, and one without its customer or its text, leave no second one', async () => {
  const tenant = await oldTenant()
  await tenant.customer('c1', 'shop:1')
  await tenant.imported('shop:1', 'c1')
  await tenant.given('shop:1', 'c1')
  await tenant.given('shop:2', 'c1')
  await tenant.given('shop:3', 'c_removed')
  await upgrade()
  for (const text of ['shop:1', 'shop:2', 'shop:3']) expect(await tenant.oldOf(text)).toBeUndefined()
  expect(await tenant.linkOf('shop:1')).toMatchObject({ entityId: 'c1', lastRunId: 'imp_1' })
  expect(await tenant.linkOf('shop:2')).toBeUndefined()
  expect(await tenant.linkOf('shop:3')).toBeUndefined()
  expect(await tenant.store.customers.find('c1')).toMatchObject({ version: 1 })
})

test('before the upgrade, a deletion and a merge meet the links of both registers, and those of nobody else', async () => {
  const tenant = await oldTenant()
  await tenant.customer('c1', 'shop:1', 'crm:1', 'shop:2')
  await tenant.customer('c2', 'shop:2')
  await tenant.given('shop:1', 'c1')
  await tenant.imported('crm:1', 'c1')
  await tenant.imported('shop:2', 'c2')
  const customer = (await tenant.store.customers.find('c1')) ?? { _id: '', externalIds: [] }
  const moved = await movedLinks(tenant.store, { source: customer, targetId: 'c2' })
  expect(moved).toMatchObject([
    { kind: 'importLinks', id: externalLinkId('crm:1'), set: { customerId: 'c2', entityId: 'c2' } },
    { kind: 'externalLinks', id: externalLinkId('shop:1'), set: { customerId: 'c2' } },
  ])
  await tenant.store.commit({ writes: await removedLinks(tenant.store, customer), events: [] })
  expect(await tenant.oldOf('shop:1')).toBeUndefined()
  expect(await tenant.linkOf('crm:1')).toBeUndefined()
  expect(await tenant.linkOf('shop:2')).toMatchObject({ entityId: 'c2' })
})
