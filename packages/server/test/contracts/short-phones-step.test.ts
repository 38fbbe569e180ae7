import { expect, test } from 'vitest'
import { shortPhonesStep } from '../../src/upgrades/short-phones.ts'
import { changeStoredKey } from '../support/change-stored-row.ts'
import { openForStep } from '../support/upgrade-step.ts'
import { add } from './storage/samples.contract.ts'

test('customers of an earlier version are found by short numbers that are written without the code of their country', async () => {
  const { store, databaseUrl, run } = await openForStep('2026-11-28T12:00:00.000Z')
  const profile = { firstName: 'Person', lastName: null, email: null, phone: '551 2345', company: null }
  const [customer] = await add(store, 'customers', [{ _id: 'cus_1', profile }])
  const found = async () =>
    (await store.customers.listByContact({ emails: [], phoneTails: ['5512345'], limit: 10 })).length
  const stored = { databaseUrl, kind: 'customers', id: customer?._id ?? '', key: 'phoneTail' } as const
  await changeStoredKey(stored, 'none')
  expect(await found()).toBe(0)
  expect(await run(shortPhonesStep)).toMatchObject({ shortPhones: { skipped: 0 } })
  expect(await found()).toBe(1)
})
