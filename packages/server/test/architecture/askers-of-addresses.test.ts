import { expect, it } from 'vitest'
import { askersOfAddresses, serverSources } from './askers-of-addresses.ts'

it('nobody but the register of addresses finds people by an address', () => {
  const sources = serverSources()
  expect(sources.length).toBeGreaterThan(500)
  expect(sources.flatMap(([name, text]) => askersOfAddresses(name, text)).join('\n')).toBe('')
})

it.each([
  'const found = await store.customers.listByContact({ emails: [address], phoneTails: [], limit: 1 })',
  'const { rows } = await store.customerAddresses.listByAddress({ addresses, limit: 1 })',
  'const page = await store.customers.list({ email: address, page: 1, limit: 1 })',
  "const filter = { 'keys.emailNormalized': address }",
  'return customer.profile.email === address',
  'return address !== profile.email || customer?.profile.email !== from.address',
  'return normalizeEmail(customer.profile.email) === address',
])('a feature that asks by itself is found: %s', (text) => {
  expect(askersOfAddresses('features/anything/find-person.ts', text).join('\n')).toContain(
    'packages/server/src/features/anything/find-person.ts',
  )
})

it('a question whether a customer has any e-mail is none about people', () => {
  expect(askersOfAddresses('mail/any.ts', 'if (customer.profile.email === null) return')).toEqual([])
})
