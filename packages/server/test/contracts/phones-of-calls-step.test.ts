import { expect, test } from 'vitest'
import { phonesOfCallsStep } from '../../src/upgrades/phones-of-calls.ts'
import { changeStoredKey } from '../support/change-stored-row.ts'
import { openForStep } from '../support/upgrade-step.ts'
import { add } from './storage/samples.contract.ts'

test('calls of an earlier version are found by their numbers, so that an erasure finds them', async () => {
  const { store, databaseUrl, run } = await openForStep('2026-11-27T12:00:00.000Z')
  const numbers = { from: '+49 (0)151 2345-6789', to: '+15550000001' }
  const [call] = await add(store, 'calls', [{ _id: 'cal_1', ...numbers }])
  const found = async () => {
    const lists = [{ fromTail: '23456789' }, { toTail: '50000001' }]
    const pages = await Promise.all(
      lists.map((filter) => store.calls.list({ ...filter, page: 1, limit: 10 })),
    )
    return pages.map(({ total }) => total)
  }
  for (const key of ['fromTail', 'toTail'])
    await changeStoredKey({ databaseUrl, kind: 'calls', id: call?._id ?? '', key }, 'none')
  expect(await found()).toEqual([0, 0])
  expect(await run(phonesOfCallsStep)).toMatchObject({ phonesOfCalls: { skipped: 0 } })
  expect(await found()).toEqual([1, 1])
})
