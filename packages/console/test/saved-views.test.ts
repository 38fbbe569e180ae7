import { expect, it } from 'vitest'
import { makeConversation, makeUser, makeView } from '../../sdk/src/testing/index.ts'
import { mayEdit } from '../src/store/roles.ts'
import {
  belongsTo,
  isUnknown,
  keyOf,
  type ListName,
  queryOf,
  savedOf,
  standsBefore,
  withSaved,
} from '../src/store/views.ts'

const me = makeUser({ role: 'agent' })
const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`
const row = makeConversation({
  status: 'open',
  priority: 'urgent',
  channel: 'email',
  assignedTo: me._id,
  inboxId: 'inb_1',
  customerId: 'cus_1',
  labels: ['VIP'],
  waitingSince: at(2),
  createdAt: at(1),
  updatedAt: at(3),
})
const listOf = (filter: object, sort = '-updatedAt'): ListName => {
  const view = { ...makeView({ _id: 'viw_1', sort, ownerId: 'usr_other' }), filter }
  return withSaved({ view: 'open', savedId: 'viw_1' }, [view])
}

it('a list becomes the filter and the order of a view, and the view asks for the same list', () => {
  const name: ListName = {
    view: 'mine',
    inboxId: 'inb_1',
    search: 'lamp',
    filter: { label: 'vip', priority: 'high' },
  }
  const { filter, sort } = savedOf(name)
  expect([filter, sort]).toEqual([
    {
      inboxId: 'inb_1',
      search: 'lamp',
      priority: 'high',
      label: 'vip',
      assignedTo: 'me',
      status: ['open', 'pending', 'snoozed'],
    },
    '-lastMessageAt',
  ])
  const { limit: _limit, ...asked } = queryOf(listOf(filter, sort))
  expect(asked).toEqual({ ...filter, sort })
})

it('a saved view is narrowed further by the filter and the search of its list', () => {
  const name = { ...listOf({ status: ['open'], label: 'vip', search: 'lamp' }), search: 'red' }
  const query = queryOf({ ...name, filter: { priority: 'high', sort: 'priority' } })
  expect(query).toMatchObject({ status: ['open'], label: 'vip', search: 'lamp red' })
  expect(query).toMatchObject({ priority: 'high', sort: 'priority', limit: 100 })
  expect(savedOf(name).filter).toEqual({ status: ['open'], label: 'vip', search: 'lamp red' })
})

it('a conversation is in a saved view as its filter says, and a search is left to the service', () => {
  const isIn = (filter: object) => belongsTo(listOf(filter), row, me._id)
  const yes = [
    {},
    { status: ['open', 'pending'], priority: 'urgent', channel: 'email', label: 'vip' },
    { assignedTo: 'me', inboxId: 'inb_1', customerId: 'cus_1', waiting: true },
    { updatedSince: at(3), createdSince: at(1), createdUntil: at(1) },
  ]
  for (const filter of yes) expect([filter, isIn(filter)]).toEqual([filter, true])
  const no = [
    { status: ['closed'] },
    { priority: 'low' },
    { assignedTo: 'none' },
    { inboxId: 'inb_2' },
    { customerId: 'cus_2' },
    { waiting: false },
    { updatedSince: at(4) },
    { createdSince: at(2) },
    { createdUntil: '2025-12-31T00:00:00.000Z', search: 'lamp' },
  ]
  for (const filter of no) expect([filter, isIn(filter)]).toEqual([filter, false])
  expect(isIn({ search: 'lamp' })).toBeUndefined()
})

it('a saved view has every order of the API', () => {
  const [older, newer] = [
    { ...row, _id: 'a', createdAt: at(1), updatedAt: at(4), lastMessageAt: at(5) },
    { ...row, _id: 'b', createdAt: at(2), updatedAt: at(3), lastMessageAt: at(6) },
  ]
  const isOlderFirst = (sort: string) => standsBefore(listOf({}, sort))(older, newer)
  expect(['createdAt', '-createdAt', 'lastMessageAt', '-lastMessageAt'].map(isOlderFirst)).toEqual([
    true,
    false,
    true,
    false,
  ])
  expect(['updatedAt', '-updatedAt'].map(isOlderFirst)).toEqual([false, true])
})

it('a changed filter is another list, and a view that is not there is none', () => {
  expect(keyOf(listOf({ label: 'a' }))).not.toBe(keyOf(listOf({ label: 'b' })))
  const gone = withSaved({ view: 'open', savedId: 'viw_gone' }, [])
  expect([isUnknown(gone), isUnknown({ view: 'open' }), isUnknown(listOf({}))]).toEqual([true, false, false])
  expect(keyOf(gone)).not.toBe(keyOf({ view: 'open' }))
})

it('its owner and an admin may change a view', () => {
  const view = makeView({ ownerId: me._id })
  const other = makeView({ ownerId: null })
  expect([mayEdit(me, view), mayEdit(me, other), mayEdit(me, undefined)]).toEqual([true, false, false])
  expect(mayEdit({ ...me, role: 'admin' }, other)).toBe(true)
})
