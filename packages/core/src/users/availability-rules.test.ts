import { expect, test } from 'vitest'
import {
  availabilityAt,
  availabilityProblems,
  changedAvailability,
  type StoredAvailability,
} from './availability-rules.ts'
import { newUser } from './user-rules.ts'

const now = '2026-03-10T12:00:00.000Z'
const ago = (minutes: number, seconds = 0) =>
  new Date(Date.parse(now) - (minutes * 60 + seconds) * 1000).toISOString()
const createdAt = ago(1_000)
const row = (stored: StoredAvailability & { availability?: string; isActive?: boolean } = {}) => ({
  availability: 'online',
  availabilityMode: 'auto' as const,
  isActive: true,
  createdAt,
  ...stored,
})
const shown = (stored: Parameters<typeof row>[0]) => {
  const { availability, availabilitySince } = availabilityAt(row(stored), now)
  return [availability, availabilitySince]
}

test('streams and input decide, and what they decide has a beginning', () => {
  const onlineSince = ago(60)
  expect(shown({})).toEqual(['offline', createdAt])
  expect(shown({ streamSeenAt: ago(0, 30), idleSince: ago(0, 30), onlineSince })).toEqual([
    'online',
    onlineSince,
  ])
  expect(shown({ streamSeenAt: ago(0, 59), idleSince: ago(9, 59), onlineSince })[0]).toBe('online')
  expect(shown({ streamSeenAt: ago(0, 30), idleSince: ago(10), onlineSince })).toEqual(['away', now])
  expect(shown({ streamSeenAt: ago(0, 30), idleSince: ago(25), onlineSince })).toEqual(['away', ago(15)])
  expect(shown({ streamSeenAt: ago(1), idleSince: ago(1), onlineSince })).toEqual(['away', now])
  expect(shown({ streamSeenAt: ago(9, 59), idleSince: now, onlineSince })).toEqual(['away', ago(8, 59)])
  expect(shown({ streamSeenAt: ago(10), idleSince: now, onlineSince })).toEqual(['offline', now])
  expect(shown({ streamSeenAt: now, idleSince: now, onlineSince, isActive: false })[0]).toBe('offline')
})

test('a mode that a person has set holds until its end, and then streams and input decide again', () => {
  const set = { availabilityMode: 'away', availabilitySetAt: ago(30) } as const
  const live = { streamSeenAt: now, idleSince: now, onlineSince: ago(60) }
  expect(shown({ ...set, ...live })).toEqual(['away', ago(30)])
  const until = ago(-5)
  expect(availabilityAt(row({ ...set, ...live, availabilityUntil: until }), now)).toEqual({
    availability: 'away',
    availabilityMode: 'away',
    availabilitySince: ago(30),
    availabilityUntil: until,
  })
  expect(availabilityAt(row({ ...set, ...live, availabilityUntil: ago(5) }), now)).toEqual({
    availability: 'online',
    availabilityMode: 'auto',
    availabilitySince: ago(5),
    availabilityUntil: null,
  })
})

test('in a row of before, `online` is what nobody has chosen, and `away` and `offline` stay', () => {
  const before = (availability: string) =>
    availabilityAt({ availability, isActive: true, createdAt }, now).availabilityMode
  expect(['online', 'away', 'offline'].map(before)).toEqual(['auto', 'away', 'offline'])
})

const user = newUser({ id: 'usr_1', tenantId: 'ten_1', email: 'a@example.com', role: 'agent', now })

test('a change sets a mode, null gives it back, and nothing new is no change', () => {
  const away = {
    ...user,
    availabilityMode: 'away',
    availabilityUntil: ago(-60),
    availabilitySince: ago(5),
  } as const
  expect(changedAvailability(user, {}, now)).toBeUndefined()
  expect(changedAvailability(user, { availability: null }, now)).toBeUndefined()
  expect(
    changedAvailability(away, { availabilityUntil: ago(-60), availability: 'away' }, now),
  ).toBeUndefined()
  expect(changedAvailability(user, { availability: 'online' }, now)).toEqual({
    availabilityMode: 'online',
    availabilityUntil: null,
    availabilitySetAt: now,
  })
  const withoutEnd = { availabilityMode: 'away', availabilityUntil: null, availabilitySetAt: ago(5) }
  expect(changedAvailability(away, { availability: 'away' }, now)).toEqual(withoutEnd)
  expect(changedAvailability(away, { availabilityUntil: null }, now)).toEqual(withoutEnd)
  expect(changedAvailability(away, { availability: null }, now)).toMatchObject({ availabilityMode: 'auto' })
})

test('an end is in the next seven days, and of a value', () => {
  const rulesOf = (body: Parameters<typeof availabilityProblems>[0]) =>
    availabilityProblems(body, now).map(({ rule }) => rule)
  expect(rulesOf({ availability: 'away', availabilityUntil: ago(-1) })).toEqual([])
  expect(rulesOf({ availability: 'away', availabilityUntil: now })).toEqual(['future'])
  expect(rulesOf({ availability: 'away', availabilityUntil: ago(-7 * 24 * 60) })).toEqual([])
  expect(rulesOf({ availability: 'away', availabilityUntil: ago(-7 * 24 * 60, -1) })).toEqual(['max'])
  expect(rulesOf({ availability: null, availabilityUntil: ago(-1) })).toEqual(['availability'])
  expect(rulesOf({ availabilityUntil: ago(-1) })).toEqual(['availability'])
  expect(rulesOf({ availabilityUntil: null })).toEqual([])
})
