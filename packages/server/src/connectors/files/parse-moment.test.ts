import { expect, it } from 'vitest'
import { monthOf } from './month-names.ts'
import { orderOfNumbers, parseMoment } from './parse-moment.ts'

const day = '2024-01-15T00:00:00.000Z'
const morning = '2024-01-15T10:20:30.000Z'
const afternoon = '2024-01-15T15:45:00.000Z'

it.each([
  ['2024-01-15', day],
  ['2024-01-15 10:20:30 UTC', morning],
  ['2024-01-15T10:20:30.123Z', morning],
  ['2024-01-15T11:20:30+01', morning],
  ['2024-01-15 11:20:30 +0100', morning],
  ['20240115T102030Z', morning],
  ['15.01.2024 10:20:30', morning],
  ['2024/01/15 10:20:30', morning],
  ['15.01.24', day],
  ['2024. 1. 15.', day],
  ['Jan 15, 2024 3:45 PM', afternoon],
  ['January 15th, 2024 at 3:45 p.m.', afternoon],
  ['15/01/2024 12:05 AM', '2024-01-15T00:05:00.000Z'],
  ['15 Jan 2024', day],
  ['15-Jan-24', day],
  ['Mon, 15 Jan 2024 11:20:30 +0100', morning],
  ['Mon Jan 15 2024 11:20:30 GMT+0100 (Central European Standard Time)', morning],
  ['15. Januar 2024', day],
  ['15 janvier 2024', day],
  ['15 de enero de 2024', day],
  ['15 gennaio 2024', day],
  ['15 de janeiro de 2024', day],
  ['15 januari 2024', day],
  ['15 stycznia 2024', day],
  ['15 января 2024', day],
  ['2024年1月15日 10:20:30', morning],
  ['2024년 1월 15일', day],
])('%s is read', (text, moment) => {
  expect(parseMoment(text, { timeZone: null, dateOrder: 'dmy' })).toBe(moment)
})

it.each([
  '',
  'soon',
  '12',
  '2024',
  '1705314030',
  '31.02.2024',
  '2024-13-01',
  '15.01.2024 25:00',
  '13 Foo 2024',
])('%s is no moment', (text) => {
  expect(parseMoment(text, { timeZone: null, dateOrder: 'dmy' })).toBeNull()
})

it('seconds and milliseconds since 1970 count in a column that holds nothing else', () => {
  const rules = { timeZone: null, dateOrder: 'dmy', hasEpochs: true } as const
  expect(['1705314030', '1705314030000', '12'].map((text) => parseMoment(text, rules))).toEqual([
    morning,
    morning,
    null,
  ])
})

it('a time without a zone is one of the zone of the integration', () => {
  expect(parseMoment('15 Jan 2024 3:45 PM', { timeZone: 'Europe/Berlin', dateOrder: 'dmy' })).toBe(
    '2024-01-15T14:45:00.000Z',
  )
})

it('a day above 12 says the order of the numbers', () => {
  const texts = ['15/01/2024', '1/15/24 3:45 PM', '3.4.2024', '2024-01-15', 'Jan 15, 2024']
  expect(texts.map(orderOfNumbers)).toEqual(['dmy', 'mdy', 'either', undefined, undefined])
})

it('no name of a month stands for two months in two languages', () => {
  const names = [
    'mar',
    'maj',
    'mai',
    'lis',
    'gen',
    'jun',
    'juin',
    'juil',
    'julho',
    'sept',
    'août',
    'märz',
    'grudnia',
  ]
  expect(names.map(monthOf)).toEqual([3, 5, 5, 11, 1, 6, 6, 7, 7, 9, 8, 3, 12])
})

it('a long text costs nothing', () => {
  expect(parseMoment(`15 Jan 2024${' '.repeat(100_000)}`, { timeZone: null, dateOrder: 'dmy' })).toBeNull()
})
