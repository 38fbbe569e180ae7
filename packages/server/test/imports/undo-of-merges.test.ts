import { expect, test } from 'vitest'
import { moveNextConversations } from '../../src/features/customers/move-task.ts'
import { mergedPair } from '../../src/shared/merge-pair.ts'
import type { CustomerRecord } from '../../src/storage/kinds/customers.ts'
import type { Stored } from '../../src/storage/records.ts'
import { type Imports, openImports } from './import-harness.ts'
import { MemorySource } from './memory-source.ts'

/* The undo of a run that has merged two customers because their source has merged them. */

/** Two people with a conversation each, who are one at the source in the second run. */
async function openMerged({ pageSize = 200 } = {}) {
  const source = new MemorySource({ pageSize })
  const person = (id: string, fields: object) => source.put({ module: 'Contacts', id, fields })
  person('1', { firstName: 'Ada', email: 'ada@example.com' })
  person('2', { firstName: 'Augusta', email: 'augusta@example.com', jobTitle: 'Countess' })
  for (const id of ['1', '2'])
    source.put({
      module: 'Cases',
      id: `${id}0`,
      person: { module: 'Contacts', id },
      fields: { subject: `Of ${id}`, description: 'It broke' },
    })
  const imports = await openImports(source.open)
  const first = await imports.importAll()
  const before = await pairOf(imports)
  const mergeThere = () =>
    source.put({
      module: 'Contacts',
      id: '3',
      mergedIds: ['1', '2'],
      fields: { firstName: 'Ada', lastName: 'King', email: 'ada@example.com' },
    })
  return { imports, source, first, before, mergeThere }
}

type Pair = [Stored<CustomerRecord>, Stored<CustomerRecord>]

async function pairOf(imports: Imports): Promise<Pair> {
  const [ada, augusta] = await imports.customers()
  if (ada === undefined || augusta === undefined) throw new Error('there are not two customers')
  return [ada, augusta]
}

const ownersOf = async (imports: Imports) =>
  Object.fromEntries((await imports.conversations()).map(({ subject, customerId }) => [subject, customerId]))

async function keptOf(imports: Imports, runId: string) {
  const issues = await imports.issuesOf(runId)
  return issues.flatMap(({ severity, module, message }) => (severity === 'kept' ? [[module, message]] : []))
}

async function auditOf(imports: Imports, action: string) {
  const { rows } = await imports.store.auditLog.list({ page: 1, limit: 50, sort: '-at' })
  return rows.filter((entry) => entry.action === action)
}

test('an undo makes two customers of those whom its run has merged, each with its own rows', async () => {
  const { imports, before, mergeThere } = await openMerged()
  const [ada, augusta] = before
  mergeThere()
  const run = await imports.importAll()
  expect(await imports.customers()).toMatchObject([
    { _id: ada._id, jobTitle: 'Countess', profile: { lastName: 'King' } },
  ])
  expect(await ownersOf(imports)).toEqual({ 'Of 1': ada._id, 'Of 2': ada._id })

  const { undo } = await imports.undo(run._id)
  expect([undo.status, undo.kept, await keptOf(imports, run._id)]).toEqual(['done', 0, []])
  const [first, second] = await pairOf(imports)
  for (const [row, as] of [
    [first, ada],
    [second, augusta],
  ] as const) {
    const { profile, jobTitle, externalIds } = as
    expect(row).toMatchObject({ _id: as._id, profile, jobTitle, externalIds })
  }
  expect(first.mergedFrom).toEqual([])
  expect(await ownersOf(imports)).toEqual({ 'Of 1': ada._id, 'Of 2': augusta._id })
  expect(await auditOf(imports, 'customer.unmerged')).toMatchObject([
    {
      actor: { type: 'system', _id: null },
      target: { _id: ada._id },
      reason: expect.stringContaining(augusta._id),
    },
  ])
})

test('the records of both find their own customers again in the next run', async () => {
  const { imports, source, before, mergeThere } = await openMerged()
  mergeThere()
  const run = await imports.importAll()
  await imports.undo(run._id)
  source.remove('Contacts', '3')
  source.put({ module: 'Contacts', id: '2', fields: { jobTitle: 'Author' } })
  await imports.importAll()
  expect((await pairOf(imports)).map(({ _id, jobTitle }) => [_id, jobTitle])).toEqual([
    [before[0]._id, null],
    [before[1]._id, 'Author'],
  ])
})

test('an undo takes back each of several merges into one customer', async () => {
  const { imports, source, before } = await openMerged()
  source.put({ module: 'Contacts', id: '4', fields: { firstName: 'Byron', email: 'byron@example.com' } })
  await imports.importAll()
  source.put({ module: 'Contacts', id: '3', mergedIds: ['1', '2', '4'], fields: { firstName: 'Ada' } })
  const run = await imports.importAll()
  expect(await imports.customers()).toHaveLength(1)
  await imports.undo(run._id)
  const emails = (await imports.customers()).map(({ profile }) => profile.email)
  expect(emails).toEqual(['ada@example.com', 'augusta@example.com', 'byron@example.com'])
  expect(await ownersOf(imports)).toMatchObject({ 'Of 2': before[1]._id })
})

test('an undo removes both customers where its own run has made them', async () => {
  const source = new MemorySource({ pageSize: 2 })
  source.put({ module: 'Contacts', id: '1', fields: { firstName: 'Ada', email: 'ada@example.com' } })
  source.put({ module: 'Contacts', id: '2', fields: { firstName: 'Augusta', email: 'augusta@example.com' } })
  source.put({ module: 'Contacts', id: '3', mergedIds: ['1', '2'], fields: { firstName: 'Ada' } })
  const imports = await openImports(source.open)
  const run = await imports.importAll()
  expect(await imports.customers()).toMatchObject([{ mergedFrom: [expect.any(String)] }])
  const { undo } = await imports.undo(run._id)
  expect([undo.status, undo.kept, await imports.customers()]).toEqual(['done', 0, []])
})

test('an undo gives back more rows than one commit moves', async () => {
  const { imports, before, mergeThere } = await openMerged()
  const [ada, augusta] = before
  const many = 620
  const [sample] = (await imports.conversations()).filter(({ subject }) => subject === 'Of 2')
  if (sample === undefined) throw new Error('there is no conversation')
  const { version: _, ...row } = sample
  for (let at = 0; at < many; at += 100)
    await imports.store.commit({
      writes: Array.from({ length: Math.min(100, many - at) }, (_one, index) => ({
        op: 'insert' as const,
        kind: 'conversations' as const,
        row: { ...row, _id: `con_many_${at + index}`, subject: 'Many', externalIds: [] },
      })),
      events: [],
    })
  mergeThere()
  const run = await imports.importAll()
  await moveAll(imports, run._id)
  const owned = async (customerId: string) =>
    (await imports.store.conversations.list({ customerId, page: 1, limit: 1, sort: 'createdAt' })).total
  expect([await owned(ada._id), await owned(augusta._id)]).toEqual([many + 2, 0])
  const { undo } = await imports.undo(run._id)
  expect([undo.status, await owned(ada._id), await owned(augusta._id)]).toEqual(['done', 1, many + 1])
  for (const customer of await pairOf(imports)) expect(customer.unmerging ?? null).toBeNull()
})

test('a customer who was merged into another one since stays, and the undo says why', async () => {
  const { imports, before, mergeThere } = await openMerged()
  const [ada] = before
  mergeThere()
  const run = await imports.importAll()
  const other: CustomerRecord = { ...unversioned(ada), _id: 'cus_other', externalIds: [], mergedFrom: [] }
  await imports.store.commit({ writes: [{ op: 'insert', kind: 'customers', row: other }], events: [] })
  const [target, source] = [await find(imports, 'cus_other'), await find(imports, ada._id)]
  const by = { mergedBy: { type: 'user' as const, _id: 'usr_1' } }
  const { store, parts } = imports
  const context = { store, ids: parts.ids, now: new Date().toISOString() }
  const { writes, events } = await mergedPair(context, { target, source, by })
  await store.commit({ writes, events })
  const { undo } = await imports.undo(run._id)
  expect(undo.status).toBe('done')
  expect(await keptOf(imports, run._id)).toContainEqual([
    'customers',
    expect.stringMatching(/^stays merged: .*take back that merge first$/),
  ])
  expect(await imports.customers()).toHaveLength(1)
})

test('a merge of more than 30 days ago stays, and the undo says why', async () => {
  const { imports, mergeThere } = await openMerged()
  mergeThere()
  const run = await imports.importAll()
  const filter = { undoneWith: run._id, page: 1, limit: 1 }
  const [merge] = (await imports.store.customerMerges.list(filter)).rows
  if (merge === undefined) throw new Error('there is no merge')
  const createdAt = new Date(Date.now() - 31 * 86_400_000).toISOString()
  const { _id: id, version: expectVersion } = merge
  await imports.store.commit({
    writes: [{ op: 'update', kind: 'customerMerges', id, expectVersion, set: { createdAt } }],
    events: [],
  })
  const { undo } = await imports.undo(run._id)
  expect([undo.status, await imports.customers()]).toMatchObject(['done', [{}]])
  expect(await keptOf(imports, run._id)).toContainEqual([
    'customers',
    expect.stringContaining('it is possible for 30 days'),
  ])
})

function unversioned({ version: _, ...row }: Stored<CustomerRecord>): CustomerRecord {
  return row
}

async function find({ store }: Imports, id: string): Promise<Stored<CustomerRecord>> {
  const found = await store.customers.find(id)
  if (found === undefined) throw new Error(`there is no customer ${id}`)
  return found
}

/** Moves the rows that the merge itself has left, as its task does. */
async function moveAll({ store, parts }: Imports, runId: string): Promise<void> {
  const [merge] = (await store.customerMerges.list({ undoneWith: runId, page: 1, limit: 1 })).rows
  if (merge === undefined) throw new Error('there is no merge')
  const { tenantId, taskId: _id, sourceId: subjectId, targetId, createdAt: requestedAt } = merge
  const task = { _id, tenantId, type: 'moveConversations' as const, subjectId, targetId, requestedAt }
  for (;;) {
    const context = { store, ids: parts.ids, now: new Date().toISOString() }
    const change = await moveNextConversations(context, task, async () => [])
    if (change === undefined) return
    await store.commit(change)
  }
}
