import { newMessage } from '@crmkit/core'
import { expect, test } from 'vitest'
import type { Change, Write } from '../../src/ports/change.ts'
import { type Imports, openImports } from './import-harness.ts'
import { MemorySource } from './memory-source.ts'

function fill(source: MemorySource): void {
  source.put({ module: 'Contacts', id: '1', fields: { lastName: 'Lovelace', email: 'ada@example.com' } })
  const person = { module: 'Contacts', id: '1' } as const
  source.put({ module: 'Deals', id: '7', person, fields: { subject: 'Big' } })
  const parent = { module: 'Deals', id: '7' } as const
  source.put({ module: 'Notes', id: '9', parent, fields: { content: 'First note' } })
  source.put({ module: 'Notes', id: '10', parent: person, fields: { content: 'About her' } })
}

const types = [
  'customer.created',
  'customer.updated',
  'conversation.created',
  'conversation.updated',
  'message.sent',
] as const

async function eventsOf(imports: Imports): Promise<string[]> {
  // On MongoDB an event gets its position after its commit.
  while ((await imports.storage.system.sequenceEvents(100)).count > 0);
  const events = await imports.store.events.read({ types: [...types], limit: 100 })
  return events.map(({ type }) => type).sort()
}

const since = '2020-01-01T00:00:00.000Z'

test('an automatic sync with emitEvents emits one event for each customer and conversation that it wrote', async () => {
  const source = new MemorySource()
  fill(source)
  const imports = await openImports(source.open, { emitEvents: true })
  await imports.importAll({ trigger: 'auto', since: null })
  expect(await eventsOf(imports)).toEqual([])
  source.put({ module: 'Contacts', id: '1', fields: { lastName: 'King' } })
  source.put({ module: 'Contacts', id: '2', fields: { lastName: 'Hopper' } })
  source.put({
    module: 'Deals',
    id: '8',
    person: { module: 'Contacts', id: '2' },
    fields: { subject: 'New' },
  })
  await imports.importAll({ trigger: 'auto', since })
  expect(await eventsOf(imports)).toEqual(['conversation.created', 'customer.created', 'customer.updated'])
  await imports.importAll({ trigger: 'auto', since })
  expect(await eventsOf(imports)).toHaveLength(3)
})

test.each([
  ['a manual import', { emitEvents: true }, { trigger: 'manual', since: null }],
  ['a retry', { emitEvents: true }, { trigger: 'retry', since }],
  ['an automatic sync without emitEvents', { emitEvents: false }, { trigger: 'auto', since }],
  ['a dry run', { emitEvents: true }, { trigger: 'auto', since, dryRun: true }],
] as const)('%s emits no event', async (_, set, run) => {
  const source = new MemorySource()
  fill(source)
  const imports = await openImports(source.open, set)
  await imports.importAll(run)
  expect(await eventsOf(imports)).toEqual([])
})

test('an undo keeps a conversation in which somebody wrote with all its imported messages and its customer', async () => {
  const source = new MemorySource()
  fill(source)
  const imports = await openImports(source.open)
  const run = await imports.importAll()
  const deal = (await imports.conversations()).find(({ subject }) => subject === 'Big')
  if (!deal) throw new Error('the deal was not imported')
  const author = { type: 'user', _id: 'usr_1', name: 'Grace' } as const
  const row = newMessage(
    { content: 'I have called her' },
    { id: 'msg_own', conversation: deal, customer: null, author, now: new Date().toISOString() },
  )
  await imports.store.commit({ writes: [{ op: 'insert', kind: 'messages', row }], events: [] })
  const { undo } = await imports.undo(run._id)
  expect(undo).toMatchObject({ status: 'done', removed: 2, kept: 3 })
  expect((await imports.conversations()).map(({ subject }) => subject)).toEqual(['Big'])
  const texts = (await imports.messagesOf(deal._id)).map(({ content }) => content)
  expect(texts.sort()).toEqual(['First note', 'I have called her'])
  expect(await imports.customers()).toHaveLength(1)
  const kept = await imports.issuesOf(run._id)
  expect(kept.map(({ code }) => code)).toEqual(['CHANGED_SINCE', 'CHANGED_SINCE', 'CHANGED_SINCE'])
})

test('an undo keeps a conversation in which somebody writes while it runs', async () => {
  const source = new MemorySource()
  fill(source)
  const imports = await openImports(source.open)
  const { store, parts } = imports
  const run = await imports.importAll()
  const deal = (await imports.conversations()).find(({ subject }) => subject === 'Big')
  if (!deal) throw new Error('the deal was not imported')
  const { _id: id } = deal
  const author = { type: 'customer', _id: deal.customerId, name: 'Ada' } as const
  const row = newMessage(
    { content: 'It smokes', direction: 'inbound' },
    { id: 'msg_late', conversation: deal, customer: null, author, now: new Date().toISOString() },
  )
  const late: Change = {
    writes: [
      { op: 'insert', kind: 'messages', row },
      { op: 'patch', kind: 'conversations', id, increment: { seq: 1, messageCount: 1 } },
    ],
    events: [],
  }
  const isRemoval = ({ op, kind }: Write) => op === 'remove' && kind === 'conversations'
  const commit = async (change: Change) => {
    const isLate = change.writes.some(isRemoval) && (await store.messages.find('msg_late')) === undefined
    if (isLate) await store.commit(late)
    return store.commit(change)
  }
  parts.storage = { ...parts.storage, forTenant: () => ({ ...store, commit }) }
  await imports.undo(run._id)
  expect((await imports.conversations()).map(({ _id }) => _id)).toEqual([id])
  expect((await imports.messagesOf(id)).map(({ content }) => content)).toEqual(['It smokes'])
  expect(await imports.customers()).toHaveLength(1)
})

test('an undo removes all rows of a run that nobody has touched', async () => {
  const source = new MemorySource()
  fill(source)
  const imports = await openImports(source.open)
  const run = await imports.importAll()
  const { undo } = await imports.undo(run._id)
  expect(undo).toMatchObject({ status: 'done', removed: 5, kept: 0 })
  expect(await imports.conversations()).toEqual([])
  expect(await imports.customers()).toEqual([])
})
