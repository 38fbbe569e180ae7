import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { createIdFactory } from '@crmkit/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openErasureLedger } from '../../src/adapters/data-directory/erasure-ledger-file.ts'
import { findPosition, savePosition } from '../../src/jobs/ledger-position.ts'
import { createErasureRecords } from '../../src/jobs/record-erasures.ts'
import { createRunTasks } from '../../src/jobs/run-tasks.ts'
import { applyLedger } from '../../src/ledger/apply-ledger.ts'
import { taskHandlers } from '../../src/main/compose/job-registry.ts'
import type { Write } from '../../src/ports/change.ts'
import type { ErasureLine } from '../../src/ports/erasure-ledger.ts'
import { createAddressDigests } from '../../src/security/address-digests.ts'
import type { Kind } from '../../src/storage/kinds/registry.ts'
import type { TaskRecord } from '../../src/storage/kinds/tasks.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { silentLog } from '../support/silent-log.ts'
import { openTestDatabase } from '../support/test-world.ts'
import { insertOf, sample } from './storage/samples.contract.ts'

let opened: Awaited<ReturnType<typeof openTestDatabase>>
let nowMs: number
let tenantId: TenantId
let file: string
beforeEach(async () => {
  opened = await openTestDatabase()
  nowMs = Date.parse('2026-11-27T12:00:00.000Z')
  tenantId = ids.next('ten') as TenantId
  file = path.join(opened.folder, 'erasures.ndjson')
  await insert('tenants', { _id: tenantId })
})
afterEach(async () => {
  await opened.storage.close()
  await opened.remove()
})

const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs }
const ids = createIdFactory(clock.nowMs)
const [key, earlierKey] = ['one secret of at least 32 bytes!', 'another secret of the same length']
const digests = createAddressDigests([key])
const isoNow = () => new Date(nowMs).toISOString()

async function insert(kind: Kind, fields: object): Promise<string> {
  const row = { ...sample[kind](tenantId, fields as never), ...fields }
  const write = insertOf(kind, row as never) as Write<Kind>
  await opened.storage.system.commit(tenantId, { writes: [write], events: [] })
  return row._id
}

const ledger = () => openErasureLedger(file)
const apply = () => {
  const { storage } = opened
  return applyLedger({ storage, clock, ids, digests, ledger: ledger(), log: silentLog })
}
const lineOf = (line: Partial<ErasureLine> & Pick<ErasureLine, 'kind' | 'id'>): ErasureLine => ({
  at: isoNow(),
  tenantId,
  addresses: [],
  ...line,
})

/** Does the tasks until nothing is left, as the job does. */
async function work(errors: unknown[] = []): Promise<void> {
  const { storage } = opened
  const erasures = createErasureRecords({ system: storage.system, clock, ledger: ledger(), digests })
  const job = () =>
    createRunTasks({
      storage,
      clock,
      ids,
      log: { ...silentLog, error: (fields) => void errors.push(fields) },
      attachments: { remove: async () => {} },
      handlers: taskHandlers,
      steps: [],
      senderOfMail: async () => null,
      erasures,
      holder: ids.next('tsk'),
    })
  for (let turns = 0; turns < 3; turns += 1) {
    await job().runDue()
    nowMs += 11_000
  }
}

const texts = () =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text) as ErasureLine)

test('an address that a customer got after the backup is erased in the mail of before, and what came later stays', async () => {
  const address = 'gone@example.com'
  const from = { from: address, envelope: { from: address, to: [] }, conversationId: null }
  const attachmentId = await insert('attachments', { messageId: null })
  const mail = { ...from, attachmentId, receivedAt: isoNow() }
  const before = await insert('inboundMails', mail)
  const suppressed = await insert('suppressedAddresses', { address, customerId: null })
  const others = await insert('suppressedAddresses', { address: 'stays@example.com', customerId: null })
  nowMs += 60_000
  const digest = digests.digestOf({ tenantId, address })
  await ledger().append([lineOf({ kind: 'customers', id: 'cus_unknown', addresses: [digest] })])
  const later = await insert('inboundMails', { ...mail, receivedAt: new Date(nowMs + 1_000).toISOString() })
  expect((await apply())?.erased).toMatchObject({ customers: 0, addresses: 1 })
  await work()
  const store = opened.storage.forTenant(tenantId)
  expect(await store.inboundMails.find(before)).toBeUndefined()
  expect(await store.inboundMails.find(later)).toBeDefined()
  const { rows } = await store.suppressedAddresses.list({ page: 1, limit: 10 })
  expect(rows.map(({ _id }) => _id)).toEqual([others])
  expect(suppressed).not.toBe(others)
})

test('a phone number that a customer got after the backup is erased in the calls of before', async () => {
  const phone = '+4930123456'
  const digest = digests.digestOf({ tenantId, address: phone })
  const unlinked = { customerId: null, conversationId: null, createdAt: isoNow() }
  const theirs = await insert('calls', { ...unlinked, from: '+49 30 123456', to: '+15550000001' })
  const others = await insert('calls', { ...unlinked, from: '+49 30 999999', to: '+15550000001' })
  nowMs += 60_000
  await ledger().append([lineOf({ kind: 'customers', id: 'cus_unknown', addresses: [digest] })])
  await apply()
  await work()
  const store = opened.storage.forTenant(tenantId)
  const numbers = [await store.calls.find(theirs), await store.calls.find(others)].map((call) => call?.from)
  expect(numbers).toEqual([null, '+49 30 999999'])
})

test('addresses of several customers are erased in one uploaded file that names them all', async () => {
  const integrationId = await insert('integrations', { provider: 'file', accountId: 'file' })
  const file = await insert('importFiles', { integrationId, headers: ['email'], erased: [] })
  const names = ['one@example.com', 'two@example.com', 'three@example.com']
  for (const address of names) await insert('suppressedAddresses', { address, customerId: null })
  nowMs += 60_000
  const digestsOf = (some: string[]) => some.map((address) => digests.digestOf({ tenantId, address }))
  await ledger().append([
    lineOf({ kind: 'customers', id: 'cus_one', addresses: digestsOf(names.slice(0, 2)) }),
    lineOf({ kind: 'customers', id: 'cus_two', addresses: digestsOf(names.slice(2)) }),
  ])
  expect((await apply())?.erased.addresses).toBe(3)
  const row = await opened.storage.forTenant(tenantId).importFiles.find(file)
  expect(new Set(row?.erased).size).toBe(3)
})

test('an erased phone number has its digest in the line of its customer', async () => {
  const task = {
    type: 'erasePhone' as const,
    subjectId: 'cus_1',
    targetId: '+4930123456',
    requestedAt: isoNow(),
  }
  await insert('tasks', { ...task, _id: ids.next('tsk') })
  await work()
  expect(texts()).toMatchObject([
    { kind: 'customers', id: 'cus_1', addresses: [digests.digestOf({ tenantId, address: '+4930123456' })] },
  ])
})

test('the mail of an address whose other customer is here stays', async () => {
  const address = 'shared@example.com'
  const { profile } = sample.customers(tenantId)
  await insert('customers', { profile: { ...profile, email: address } })
  const from = { from: address, envelope: { from: address, to: [] }, conversationId: null }
  const mail = await insert('inboundMails', { ...from, receivedAt: isoNow() })
  nowMs += 60_000
  const digest = digests.digestOf({ tenantId, address })
  await ledger().append([lineOf({ kind: 'customers', id: 'cus_unknown', addresses: [digest] })])
  await apply()
  await work()
  expect(await opened.storage.forTenant(tenantId).inboundMails.find(mail)).toBeDefined()
})

test('a digest of a key that is not in the ring is counted, and one of an earlier key of the ring is compared', async () => {
  const address = 'gone@example.com'
  await insert('suppressedAddresses', { address, customerId: null })
  const earlier = createAddressDigests([earlierKey]).digestOf({ tenantId, address })
  await ledger().append([lineOf({ kind: 'customers', id: 'cus_unknown', addresses: [earlier] })])
  expect(await apply()).toMatchObject({ unknown: 1, erased: { addresses: 0 } })
  expect(createAddressDigests([key, earlierKey]).digestsOf({ tenantId, address })).toContain(earlier)
})

test('the last owner here stays and is named; another user of the ledger goes', async () => {
  const owner = await insert('users', { role: 'owner', identityId: '' })
  const agent = await insert('users', { role: 'agent', identityId: '' })
  await ledger().append([owner, agent].map((id) => lineOf({ kind: 'users', id })))
  const applied = await apply()
  expect(applied).toMatchObject({ erased: { users: 1 }, lastOwners: [`${owner} of ${tenantId}`] })
  const { users } = opened.storage.forTenant(tenantId)
  expect([(await users.find(owner))?._id, await users.find(agent)]).toEqual([owner, undefined])
})

test('each erasure is one line with the digests of its addresses, and the database knows the ledger then', async () => {
  const { storage } = opened
  const row = { type: 'eraseCustomer', subjectId: 'cus_1', targetId: null, requestedAt: isoNow() } as const
  const tasks: Partial<TaskRecord>[] = [
    { ...row, type: 'eraseAddress', targetId: 'a@example.com' },
    { ...row, type: 'eraseAddress', targetId: 'b@example.com' },
    row,
    { ...row, type: 'eraseConversation', subjectId: 'con_1' },
    { ...row, type: 'moveConversations', subjectId: 'cus_2', targetId: 'cus_3' },
    { ...row, type: 'releaseUser', subjectId: 'usr_1' },
  ]
  for (const task of tasks) await insert('tasks', { _id: ids.next('tsk'), ...task })
  const at = isoNow()
  await work()
  expect(texts()).toEqual([
    {
      at,
      tenantId,
      kind: 'customers',
      id: 'cus_1',
      addresses: ['a@example.com', 'b@example.com'].map((address) => digests.digestOf({ tenantId, address })),
    },
    { at, tenantId, kind: 'conversations', id: 'con_1', addresses: [] },
    { at, tenantId, kind: 'users', id: 'usr_1', addresses: [], isRemoval: true },
  ])
  expect(readFileSync(file, 'utf8')).not.toContain('example.com')
  expect(await findPosition(storage.system)).toEqual((await ledger().read(undefined))?.end)
  expect(await apply()).toBeUndefined()
})

test('an erasure does not end while the ledger cannot be written, and its line is there afterwards', async () => {
  await insert('tasks', {
    _id: ids.next('tsk'),
    type: 'eraseConversation',
    subjectId: 'con_1',
    requestedAt: isoNow(),
  })
  // A folder in its place.
  mkdirSync(file)
  const errors: unknown[] = []
  await work(errors)
  expect(errors.length).toBeGreaterThan(0)
  expect(await opened.storage.system.listTasks(1)).toHaveLength(1)
  rmSync(file, { recursive: true })
  await work()
  expect(await opened.storage.system.listTasks(1)).toEqual([])
  expect(texts().map(({ id }) => id)).toEqual(['con_1'])
})

test('a process that dies between the line and its position begins nothing twice', async () => {
  const task = { type: 'eraseUser', subjectId: 'usr_1', targetId: 'usr_pseudonym' } as const
  await insert('tasks', { _id: ids.next('tsk'), ...task, requestedAt: isoNow() })
  await ledger().append([lineOf({ kind: 'users', id: 'usr_1' })])
  expect(await apply()).toMatchObject({ lines: 1, erased: { users: 0 } })
  expect(await opened.storage.system.listTasks(5)).toHaveLength(1)
  expect(await apply()).toBeUndefined()
})

test('a line that was cut off is skipped and counted, and the next one begins a line of its own', async () => {
  const customerId = await insert('customers', {})
  await ledger().append([lineOf({ kind: 'customers', id: customerId })])
  const whole = readFileSync(file).length
  appendFileSync(file, readFileSync(file))
  truncateSync(file, whole + 20)
  await ledger().append([lineOf({ kind: 'conversations', id: 'con_1' })])
  expect(await apply()).toMatchObject({ lines: 2, unreadable: 1, erased: { customers: 1 } })
})

test('of another ledger than the one that the database knows everything is applied, and a lost one begins anew', async () => {
  const { system } = opened.storage
  const customerId = await insert('customers', {})
  await savePosition(system, { bytes: 4_711, digest: '0123456789abcdef' }, isoNow())
  expect(existsSync(file)).toBe(false)
  expect(await apply()).toBeUndefined()
  const line = `${JSON.stringify(lineOf({ kind: 'customers', id: customerId }))}\n`
  writeFileSync(file, line.repeat(40))
  expect(await apply()).toMatchObject({ lines: 40, erased: { customers: 1 } })
  rmSync(file)
  await work()
  expect(texts().map(({ id }) => id)).toEqual([customerId])
  expect(await apply()).toBeUndefined()
})
