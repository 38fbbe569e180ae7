import { createIdFactory } from '@crmkit/core'
import { expect, test } from 'vitest'
import { createRunTasks } from '../../src/jobs/run-tasks.ts'
import { taskHandlers } from '../../src/main/compose/job-registry.ts'
import { removalOf } from '../../src/shared/removal-of.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { addressUseId } from '../../src/storage/rules/address-uses.ts'
import { addressUsesStep } from '../../src/upgrades/address-uses.ts'
import { noRecords } from '../support/no-records.ts'
import { silentLog } from '../support/silent-log.ts'
import { openTestDatabase } from '../support/test-world.ts'
import { add, insertOf, sample } from './storage/samples.contract.ts'

const noMail = {
  replyTo: null,
  replyToList: [],
  forwardedFrom: null,
  to: [],
  cc: [],
  bcc: [],
  subject: null,
  messageId: null,
  inReplyTo: null,
  date: null,
  verified: null,
  automated: false,
  noAutoReply: false,
  possiblyDoubled: false,
  quoted: [],
  quotedFrom: null,
  truncated: false,
}

test('mails of an earlier version get the rows by which an erasure finds their addresses', async () => {
  const { storage, remove } = await openTestDatabase()
  const clock = { nowMs: () => Date.parse('2026-11-21T12:00:00.000Z') }
  const ids = createIdFactory(clock.nowMs)
  const tenantId = ids.next('ten') as TenantId
  const tenant = insertOf('tenants', sample.tenants(tenantId, { _id: tenantId }))
  await storage.system.commit(tenantId, { writes: [tenant], events: [] })
  const store = storage.forTenant(tenantId)
  await add(store, 'conversations', [{ _id: 'con_1' }])
  const address = 'ada@mail.example'
  const email = { ...noMail, from: { address, name: null } }
  await add(store, 'messages', [
    { conversationId: 'con_1', direction: 'inbound', email },
    { conversationId: 'con_1', direction: 'inbound', email },
    { conversationId: 'con_1', email: null },
  ])
  const use = async () => store.addressUses.find(addressUseId({ conversationId: 'con_1', address }))
  const noted = await use()
  expect(noted).toBeDefined()
  if (noted) await store.commit({ writes: [removalOf('addressUses', noted)], events: [] })
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
  await createRunTasks({ ...parts, steps: [addressUsesStep] }).runDue()
  expect(await use()).toMatchObject({ address, conversationId: 'con_1', version: 1 })
  expect((await storage.system.findTenant(tenantId))?.upgrades).toMatchObject({ addressUses: { skipped: 0 } })
  await storage.close()
  await remove()
})
