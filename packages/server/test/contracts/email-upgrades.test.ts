import path from 'node:path'
import { createIdFactory } from '@crmkit/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { examineMongo } from '../../src/adapters/mongo/diagnosis/examine-mongo.ts'
import { examineSqlite } from '../../src/adapters/sqlite/diagnosis/examine-sqlite.ts'
import { findSharedEmails } from '../../src/commands/doctor/check-emails.ts'
import { createRunTasks } from '../../src/jobs/run-tasks.ts'
import { taskHandlers } from '../../src/main/compose/job-registry.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { emailForms as formsOf } from '../../src/storage/rules/email-forms.ts'
import { emailForms } from '../../src/upgrades/email-forms.ts'
import { changeStoredKey } from '../support/change-stored-row.ts'
import { noRecords } from '../support/no-records.ts'
import { silentLog } from '../support/silent-log.ts'
import { openTestDatabase } from '../support/test-world.ts'
import { add, insertOf, sample } from './storage/samples.contract.ts'

let opened: Awaited<ReturnType<typeof openTestDatabase>>
let tenantId: TenantId
beforeEach(async () => {
  opened = await openTestDatabase()
  tenantId = ids.next('ten') as TenantId
  const tenant = sample.tenants(tenantId, { _id: tenantId })
  await opened.storage.system.commit(tenantId, { writes: [insertOf('tenants', tenant)], events: [] })
})
afterEach(async () => {
  await opened.storage.close()
  await opened.remove()
})

const clock = { nowMs: () => Date.parse('2026-11-25T12:00:00.000Z') }
const ids = createIdFactory(clock.nowMs)
const [old, ascii] = ['info@bücher.example', 'info@xn--bcher-kva.example']
const store = () => opened.storage.forTenant(tenantId)

async function upgrade(): Promise<void> {
  const { storage } = opened
  const parts = {
    storage,
    clock,
    ids,
    log: silentLog,
    attachments: { remove: async () => {} },
    handlers: taskHandlers,
    steps: emailForms,
    senderOfMail: async () => null,
  }
  await createRunTasks({ ...parts, erasures: noRecords, holder: ids.next('tsk') }).runDue()
}

const file = () => path.join(opened.folder, 'crm.db')

async function examine() {
  const { url } = opened
  const { rows, close } = await (url ? examineMongo(url) : examineSqlite(file(), { isThorough: false }))
  if (rows === undefined) throw new Error('the database cannot be read')
  return { rows, close }
}

const profileOf = (email: string) => ({ ...sample.customers(tenantId).profile, email })

test('rows of every kind get the key of today, and are found by every spelling', async () => {
  const { system } = opened.storage
  const [customer] = await add(store(), 'customers', [{ profile: profileOf(old) }])
  const inbox = sample.inboxes(tenantId)
  const [mail] = await add(store(), 'inboundMails', [{ conversationId: null, messageId: null, from: old }])
  const [address] = await add(store(), 'suppressedAddresses', [{ address: old }])
  const person = { name: null, addedAt: '2026-01-01T00:00:00.000Z', verified: true }
  const [conversation] = await add(store(), 'conversations', [
    { participants: [{ ...person, address: old }] },
  ])
  const [user] = await add(store(), 'users', [{ email: old, emailNormalized: old }])
  const identity = sample.identities(tenantId, { email: old })
  await system.commit('' as TenantId, { writes: [insertOf('identities', identity)], events: [] })
  const email = { ...(inbox.email as NonNullable<typeof inbox.email>), address: old }
  const [team] = await add(store(), 'inboxes', [{ email }])
  const databaseUrl = opened.url ?? `sqlite:${file()}`
  for (const [kind, id, key, collection] of [
    ['customers', customer?._id, 'emailNormalized', 'customers'],
    ['inboundMails', mail?._id, 'unlinkedSender', 'inboundMails'],
    ['inboxes', team?._id, 'emailAddress', 'emailAddresses'],
  ] as const)
    await changeStoredKey({ databaseUrl, kind, id: id ?? '', key, collection }, old)
  const customersOf = async () => (await store().customers.list({ email: ascii, page: 1, limit: 5 })).rows
  expect(await customersOf()).toEqual([])
  await upgrade()
  expect(await customersOf()).toMatchObject([{ _id: customer?._id, profile: { email: old } }])
  const mails = await store().inboundMails.list({ unlinkedSender: ascii, page: 1, limit: 5 })
  expect(mails.rows).toMatchObject([{ _id: mail?._id, from: old }])
  expect(await store().suppressedAddresses.find(address?._id ?? '')).toMatchObject({ address: ascii })
  expect(await store().users.find(user?._id ?? '')).toMatchObject({ email: old, emailNormalized: ascii })
  expect(await system.findIdentity(identity._id)).toMatchObject({ email: ascii })
  expect(await store().conversations.find(conversation?._id ?? '')).toMatchObject({
    participants: [{ ...person, address: ascii }],
  })
  const { emailAddresses } = system.across
  const inboxesWith = async (forms: readonly string[]) =>
    (await Promise.all(forms.map((form) => emailAddresses.of(form)))).flat()
  for (const spelling of [old, ascii])
    expect(await inboxesWith(formsOf(spelling))).toMatchObject([{ row: { _id: team?._id } }])
})

test('where another row has the key of today a row keeps its own, both are found, and doctor names them', async () => {
  const { system } = opened.storage
  const users = await add(store(), 'users', [
    { email: ascii, emailNormalized: ascii },
    { email: old, emailNormalized: old },
  ])
  const identities = [ascii, old].map((email) => sample.identities(tenantId, { email }))
  await system.commit('' as TenantId, {
    writes: identities.map((row) => insertOf('identities', row)),
    events: [],
  })
  await upgrade()
  const idsOf = (rows: readonly { _id: string }[]) => rows.map(({ _id }) => _id).sort()
  for (const email of [old, ascii]) {
    const members = await system.listMembers({ tenantId, email })
    expect(idsOf(members.map(({ user }) => user))).toEqual(idsOf(users))
    expect(idsOf(await system.listIdentitiesByEmail(email))).toEqual(idsOf(identities))
  }
  const { rows, close } = await examine()
  const findings = await findSharedEmails(rows, 1_000)
  await close()
  expect(findings).toMatchObject([{ outcome: 'warning' }, { outcome: 'warning' }])
  const text = findings.map(({ sentence }) => sentence).join(' ')
  for (const { _id } of [...users, ...identities]) expect(text).toContain(_id)
  expect(text).not.toContain('example')
})
