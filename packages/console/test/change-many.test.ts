import type { ChangeConversations, Conversation } from '@crmkit/sdk'
import { describe, expect, it } from 'vitest'
import { makeConversation, makeUser } from '../../sdk/src/testing/index.ts'
import { Crm } from '../src/api/crm.ts'
import { changeMany } from '../src/features/actions/change-many.ts'
import { chosenIn, Selection } from '../src/store/selection.ts'
import { createStore, type Store } from '../src/store/store.ts'

type Sent = ChangeConversations & { result?: 'changed' | 'failed' }

/** A store of these conversations, with a service that changes what the test lets it change. */
function storeOf(rows: readonly Partial<Conversation>[], fails: (sent: Sent, call: number) => boolean) {
  const crm = new Crm({ baseUrl: 'http://127.0.0.1:9', accessToken: 'none', maxRetries: 0 })
  const store = createStore(crm, { user: makeUser(), tenant: { _id: 'ten_1', name: 'Engines' } })
  const conversations = rows.map((row) => makeConversation({ status: 'open', labels: [], ...row }))
  for (const conversation of conversations) store.conversations.put(conversation)
  const sent: ChangeConversations[] = []
  Object.assign(crm.conversations, {
    async updateMany(body: ChangeConversations) {
      sent.push(body)
      const failed = fails(body, sent.length)
      return body.ids.map((_id) => ({ _id, result: failed ? 'failed' : 'changed' }))
    },
  })
  return { store, sent, ids: conversations.map(({ _id }) => _id) }
}

const never = () => false

const statusesOf = (store: Store, ids: readonly string[]) =>
  ids.map((id) => store.conversations.rows.peek(id)?.status)

describe('a change of many', () => {
  it('is sent in pages of 100, is shown in the rows, and says how far it has come', async () => {
    const { store, sent, ids } = storeOf(
      Array.from({ length: 250 }, () => ({})),
      (_, call) => {
        expect(store.selection.progress.value).toEqual({ done: (call - 1) * 100, total: 250 })
        return call === 3
      },
    )
    const { text } = await changeMany(store, ids, { set: { status: 'closed' } })
    expect(sent.map((body) => body.ids.length)).toEqual([100, 100, 50])
    expect(new Set(statusesOf(store, ids.slice(0, 200)))).toEqual(new Set(['closed']))
    expect(new Set(statusesOf(store, ids.slice(200)))).toEqual(new Set(['open']))
    expect(store.selection.progress.value).toBeUndefined()
    expect(text).toBe('200 changed, 50 did not')
  })

  it('has one undo, which sets back the former values of each and leaves what somebody has changed since', async () => {
    const until = '2999-01-01T00:00:00.000Z'
    const { store, sent, ids } = storeOf(
      [
        { assignedTo: 'usr_a' },
        { status: 'snoozed', snoozedUntil: until, wakeOnReply: true, assignedTo: 'usr_b' },
        { assignedTo: 'usr_a' },
      ],
      ({ set }) => set?.status === 'snoozed',
    )
    const { undo } = await changeMany(store, ids, { set: { status: 'closed', assignedTo: null } })
    sent.length = 0
    expect((await undo?.())?.text).toBe('As it was before, except for 1 that somebody has changed since')
    const expected = { status: 'closed', assignedTo: null }
    const nothing = { addLabels: [], removeLabels: [] }
    expect(sent).toEqual([
      { ids: [ids[0], ids[2]], set: { status: 'open', assignedTo: 'usr_a' }, ...nothing, expected },
      {
        ids: [ids[1]],
        set: { status: 'snoozed', assignedTo: 'usr_b', snoozedUntil: until },
        ...nothing,
        expected,
      },
    ])
    expect(statusesOf(store, ids)).toEqual(['open', 'closed', 'open'])
  })

  it('of labels takes back only what it has added or removed', async () => {
    const { store, sent, ids } = storeOf([{ labels: ['VIP', 'new'] }, { labels: ['new'] }], never)
    const { undo } = await changeMany(store, ids, { addLabels: ['vip'], removeLabels: ['NEW'] })
    const labels = () => ids.map((id) => store.conversations.rows.peek(id)?.labels)
    expect(labels()).toEqual([['VIP'], ['vip']])
    sent.length = 0
    expect((await undo?.())?.text).toBe('As it was before')
    expect(sent).toEqual([
      { ids: [ids[0]], set: {}, addLabels: ['new'], removeLabels: [] },
      { ids: [ids[1]], set: {}, addLabels: ['new'], removeLabels: ['vip'] },
    ])
    expect(labels()).toEqual([['VIP', 'new'], ['new']])
  })
})

describe('the choice of conversations', () => {
  const list = ['a', 'b', 'c', 'd', 'e']

  it('grows from the last one to another in both directions, and each is chosen no longer by a second press', () => {
    const selection = new Selection()
    selection.toggle('b')
    selection.extend(list, 'd')
    expect([...selection.ids.value]).toEqual(['b', 'c', 'd'])
    selection.toggle('e')
    selection.toggle('c')
    selection.extend(list, 'a')
    expect([...selection.ids.value].sort()).toEqual(['a', 'b', 'c', 'd', 'e'])
    selection.toggle('a')
    expect(selection.ids.value.has('a')).toBe(false)
    selection.clear()
    selection.extend(list, 'c')
    expect([...selection.ids.value]).toEqual(['c'])
  })

  it('has the order of the list, and none that has left it', () => {
    const { store } = storeOf([], never)
    const name = { view: 'open' } as const
    const state = store.lists.open(name)
    state.value = { ...state.value, ids: ['con_2', 'con_1'] }
    store.selection.set(['con_1', 'con_2', 'con_3'])
    expect(chosenIn(store, name)).toEqual(['con_2', 'con_1'])
  })
})
