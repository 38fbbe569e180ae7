import { expect, it } from 'vitest'
import { maskedHeaders, unmaskedHeaders, webhookHeaderProblems } from './webhook-headers.ts'

const rulesOf = (headers: Record<string, string>) => webhookHeaderProblems(headers).map(({ rule }) => rule)

it('accepts ordinary headers, 20 of them', () => {
  expect(rulesOf({ Authorization: 'Bearer a.b', 'X-Team': 'blue\tgreen', 'x-empty': '' })).toEqual([])
  expect(rulesOf(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`x-${i}`, 'v'])))).toEqual([])
})

it('refuses a 21st header and more than 4 KB', () => {
  expect(rulesOf(Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`x-${i}`, 'v'])))).toEqual(['max'])
  expect(rulesOf({ 'x-a': 'v'.repeat(4094) })).toEqual(['max_bytes'])
  expect(rulesOf({ 'x-a': 'v'.repeat(4093) })).toEqual([])
})

it.each(['a\r\nX-Injected: 1', 'a\nb', 'a\u0000', 'é', 'a\u007f'])(
  'refuses the value %j, without repeating it',
  (value) => {
    const problems = webhookHeaderProblems({ 'x-a': value })
    expect(problems.map(({ rule }) => rule)).toEqual(['header_value'])
    expect(JSON.stringify(problems)).not.toContain('Injected')
  },
)

it.each(['', 'a b', 'a:b', 'é', 'a\n'])('refuses the name %j', (name) => {
  expect(rulesOf({ [name]: 'v' })).toEqual(['header_name'])
})

it.each([
  'Host',
  'content-LENGTH',
  'Content-Encoding',
  'Transfer-Encoding',
  'Connection',
  'User-Agent',
  'X-Webhook-Id',
  'webhook-signature',
])('refuses %s, which the service sets itself', (name) => {
  expect(rulesOf({ [name]: 'v' })).toEqual(['reserved_header'])
})

it('refuses the same name in upper and lower case', () => {
  expect(rulesOf({ 'X-A': '1', 'x-a': '2' })).toEqual(['duplicate'])
})

it('accepts a mask and puts the stored value in its place, whatever the spelling of the name', () => {
  const stored = { Authorization: 'Bearer a', 'X-Old': 'b' }
  const given = { authorization: '••••', 'X-New': 'c' }
  expect(rulesOf(given)).toEqual([])
  const headers = { authorization: 'Bearer a', 'X-New': 'c' }
  expect(unmaskedHeaders(given, { stored, isMoved: false })).toEqual({ headers, problems: [] })
  const rulesFor = (isMoved: boolean) =>
    unmaskedHeaders({ ...given, 'X-Else': '••••' }, { stored, isMoved }).problems.map(({ rule }) => rule)
  expect(rulesFor(false)).toEqual(['masked'])
  expect(rulesFor(true)).toEqual(['origin', 'origin'])
  expect(Object.keys(maskedHeaders(stored))).toEqual(Object.keys(stored))
})
