import { expect, test } from 'vitest'
import { lastMessagesStep } from '../../src/upgrades/last-messages.ts'
import { openForStep } from '../support/upgrade-step.ts'
import { add, at } from './storage/samples.contract.ts'

/** A field that the row does not have. */
const absent = undefined as never
const before = {
  lastMessageId: absent,
  lastMessage: absent,
  lastCustomerMessageAt: absent,
  waitingSince: absent,
}

test('a conversation of an earlier version says who waits and what was said last; one that says it stays', async () => {
  const { store, run } = await openForStep('2026-11-27T12:00:00.000Z')
  await add(store, 'conversations', [
    { _id: 'con_old', ...before, lastMessageAt: at(4), seq: 4, status: 'open' },
    { _id: 'con_empty', ...before, lastMessageAt: null, seq: 0 },
    { _id: 'con_imported', ...before, lastMessageAt: at(9), seq: 1, importedSeq: 1 },
    { _id: 'con_new', status: 'open' },
  ])
  const customer = { type: 'customer', _id: 'cus_1', name: null } as const
  const inbound = { conversationId: 'con_old', direction: 'inbound', sender: customer, email: null } as const
  await add(store, 'messages', [
    { ...inbound, _id: 'msg_1', createdAt: at(1) },
    {
      ...inbound,
      _id: 'msg_2',
      createdAt: at(2),
      direction: 'outbound',
      sender: { ...customer, type: 'user' },
    },
    { ...inbound, _id: 'msg_3', createdAt: at(3), content: 'And now?' },
    { ...inbound, _id: 'msg_4', createdAt: at(4), content: 'Hello?' },
    { ...inbound, _id: 'msg_5', createdAt: at(9), conversationId: 'con_imported' },
  ])
  const untouched = await store.conversations.find('con_new')
  await run(lastMessagesStep)
  const find = (id: string) => store.conversations.find(id)
  expect(await find('con_old')).toMatchObject({
    lastMessage: { _id: 'msg_4', preview: 'Hello?', direction: 'inbound', at: at(4) },
    lastCustomerMessageAt: at(4),
    waitingSince: at(3),
  })
  expect(await find('con_empty')).toMatchObject({ lastMessage: null, waitingSince: null })
  // Nobody waits since an imported message.
  expect(await find('con_imported')).toMatchObject({ lastMessage: { _id: 'msg_5' }, waitingSince: null })
  expect(await find('con_new')).toEqual(untouched)
  const { rows } = await store.conversations.list({ waiting: true, sort: 'waiting', page: 1, limit: 9 })
  expect(rows.map(({ _id }) => _id)).toContain('con_old')
})
