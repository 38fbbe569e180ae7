import { expect, test } from 'vitest'
import { companyLabel } from '../../src/storage/company-label.ts'
import { lastContactsStep } from '../../src/upgrades/last-contacts.ts'
import { openForStep } from '../support/upgrade-step.ts'
import { add, at } from './storage/samples.contract.ts'

/** A field that the row does not have. */
const absent = { lastContactAt: undefined as never }
const profile = { firstName: 'Person', lastName: null, email: null, phone: null, company: 'Looms' }

test('customers of an earlier version say when they wrote last, and lists find them by their company', async () => {
  const { store, run } = await openForStep('2026-11-28T12:00:00.000Z')
  await add(store, 'customers', [
    { _id: 'cus_wrote', ...absent, profile },
    { _id: 'cus_silent', ...absent, profile },
    { _id: 'cus_new', lastContactAt: at(9) },
  ])
  await add(store, 'conversations', [
    { _id: 'con_1', customerId: 'cus_wrote', lastCustomerMessageAt: at(4) },
    { _id: 'con_2', customerId: 'cus_wrote', lastCustomerMessageAt: at(6) },
    { _id: 'con_3', customerId: 'cus_silent', lastCustomerMessageAt: null },
  ])
  const before = await store.customers.find('cus_wrote')
  expect(await run(lastContactsStep)).toMatchObject({ lastContacts: { skipped: 0 } })
  const contactOf = async (id: string) => (await store.customers.find(id))?.lastContactAt
  expect(await contactOf('cus_wrote')).toBe(at(6))
  expect(await contactOf('cus_silent')).toBeNull()
  expect(await contactOf('cus_new')).toBe(at(9))
  expect((await store.customers.find('cus_wrote'))?.version).toBe(before?.version)
  const list = { sort: '-lastContactAt', page: 1, limit: 9 } as const
  expect((await store.customers.list(list)).rows.map(({ _id }) => _id)).toEqual([
    'cus_new',
    'cus_wrote',
    'cus_silent',
  ])
  const found = await store.customers.list({ page: 1, limit: 9, tags: [companyLabel('looms')] })
  expect(found.rows.map(({ _id }) => _id).toSorted()).toEqual(['cus_silent', 'cus_wrote'])
})
