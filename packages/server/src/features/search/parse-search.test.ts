import { expect, it } from 'vitest'
import { parseSearch } from './parse-search.ts'

const partsOf = (text: string) =>
  Object.fromEntries(
    Object.entries(parseSearch(text)).filter(
      ([, value]) => value && (typeof value !== 'object' || value.length > 0),
    ),
  )

it.each([
  ['broken  lamp', { words: 'broken lamp' }],
  ['from:ada FROM:"Grace Hopper" lamp', { words: 'lamp', from: ['ada', 'Grace Hopper'] }],
  ['"broken lamp" label:"Big deal"', { words: 'broken lamp', label: ['Big deal'] }],
  ['label:"never closed', { words: 'closed', label: ['"never'] }],
  ['5" lamp', { words: '5" lamp' }],
  [
    'is:open is:CLOSED is:unread is:unassigned is:Waiting',
    { statuses: ['open', 'closed'], isUnread: true, isUnassigned: true, isWaiting: true },
  ],
  ['is:xyz has:wings from: http://a.example', { words: 'is:xyz has:wings from: http://a.example' }],
  ['has:file bill', { words: 'bill', hasFile: true }],
  [
    'after:2026-02-01 before:2026-03-01T00:00:00+01:00',
    { since: '2026-02-01T00:00:00.000Z', before: '2026-02-28T23:00:00.000Z' },
  ],
  ['before:2026-01-01 before:2026-02-01', { before: '2026-02-01T00:00:00.000Z' }],
  ['after:2026-02-01 after:2026-01-01', { since: '2026-01-01T00:00:00.000Z' }],
  ['after:2026-02-30 before:soon', { words: 'after:2026-02-30 before:soon' }],
  ['""', {}],
])('%s is read', (text, parts) => {
  expect(partsOf(text)).toEqual(parts)
})
