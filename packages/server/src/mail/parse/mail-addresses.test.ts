import { expect, test } from 'vitest'
import { readAddresses } from './mail-addresses.ts'

const addressesOf = (header: string) => readAddresses([header]).map(({ address }) => address)

test.each([
  ['Mary <@relay.example:mary@desk.example>', ['mary@desk.example']],
  ['<@a.example,@b.example:mary@desk.example>, ada@desk.example', ['mary@desk.example', 'ada@desk.example']],
  ['<@relay.example>', []],
  ['<@relay.example:>', []],
])('%s names its mailboxes without the servers of an obsolete route', (header, expected) => {
  expect(addressesOf(header)).toEqual(expected)
})

test.each([
  ['ada@example. org, bob@example.com', ['bob@example.com']],
  ['ada@example .org', []],
  ['Dr. Ada <ada@example.org>', ['ada@example.org']],
  ['Ada B. ada@example.org', ['ada@example.org']],
])('%s names nobody by a domain that blanks divide', (header, expected) => {
  expect(addressesOf(header)).toEqual(expected)
})
