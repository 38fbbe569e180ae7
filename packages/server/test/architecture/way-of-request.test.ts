import { beforeAll, expect, test } from 'vitest'
import { type Way, waysOfCustomers } from '../support/way-of-request.ts'

let ways: { read: Way; create: Way }
beforeAll(async () => {
  ways = await waysOfCustomers()
})

/** Parts that a read by id with an API key does not use. */
const others = /widget|visitor|mail|callback|presence|live|quota|session|upload|stream|idempotency|cors/i

test('a read of a customer with an API key runs through no file of a part that it does not use', () => {
  const files = [...ways.read.files.keys()]
  expect(files).toContain('server/src/features/customers/read-customers.ts')
  expect(files.filter((file) => others.test(file))).toEqual([])
})

test('a create of a customer runs through no file of a background job or of another kind of caller', () => {
  const files = [...ways.create.files.keys()]
  expect(files).toContain('server/src/features/customers/create-customer.ts')
  expect(
    files.filter((file) => /jobs|deliver|mail|imports|widget|visitor|callback|draft|snooze/i.test(file)),
  ).toEqual([])
})

test('a read of a customer runs through 40 own files at most, and a create through 50', () => {
  const [read, create] = [ways.read, ways.create].map(({ files }) => [...files.keys()].sort())
  expect(read?.length, read?.join('\n')).toBeLessThanOrEqual(40)
  expect(create?.length, create?.join('\n')).toBeLessThanOrEqual(50)
})
