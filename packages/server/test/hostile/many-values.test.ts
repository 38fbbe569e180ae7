import { type Operation, operations } from '@crmkit/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { goodRequest } from '../isolation/credentials.ts'
import { fieldsOf, withField } from '../isolation/request-fields.ts'
import { createTenantWorld, type TenantWorld } from '../isolation/world.ts'
import { call } from '../support/call.ts'
import type { RunningService } from '../support/start-service.ts'
import { startServiceWithCrm } from '../support/start-with-crm.ts'
import { expectFairCost } from './fair-cost.ts'

// A body may hold a hundred thousand small values. Each of them can become a problem to report, which costs far more
// than its bytes: a limit on their number bounds the cost of a body by its length.

let running: RunningService
let world: TenantWorld
beforeAll(async () => {
  running = await startServiceWithCrm()
  world = await createTenantWorld(running)
})
afterAll(() => running.stop())

const withBody = operations
  .filter((operation: Operation) => operation.request?.body !== undefined)
  .map((operation) => [operation.id, operation] as const)

function manyFields(count: number): string {
  return `{${Array.from({ length: count }, (_, i) => `"f${i}":0`).join(',')}}`
}

const hostileBodies: Readonly<Record<string, string>> = {
  '100,000 unknown fields': manyFields(100_000),
  '9,000 unknown fields, within the bound': manyFields(9_000),
  'lists in lists': `{"tags":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  'objects in objects': `{"customFields":${'{"a":'.repeat(90_000)}1${'}'.repeat(90_000)}}`,
}

describe('a body costs at most 5 ms of processor time per KB, however many values it holds', () => {
  it.each(withBody)('of %s', async (_id, operation) => {
    const asked = { ...goodRequest(operation, world), body: undefined }
    for (const [name, rawBody] of Object.entries(hostileBodies)) {
      const status = await expectFairCost(running.url, { ...asked, rawBody }, name)
      expect([413, 422], name).toContain(status)
    }
    for (const { path } of fieldsOf(operation).filter(({ place }) => place === 'body')) {
      const list = withField(
        undefined,
        path,
        Array.from({ length: 300_000 }, () => 0),
      )
      const request = { ...asked, rawBody: JSON.stringify(list) }
      const status = await expectFairCost(running.url, request, `a list in ${path.join('.')}`)
      expect([413, 422], path.join('.')).toContain(status)
    }
  })
})

const publicOperations = withBody.filter(([, { auth }]) => auth.kind === 'none')

it.each(publicOperations)('%s needs no credential, so its body is at most 16 KB', async (_id, operation) => {
  const asked = { ...goodRequest(operation, world), body: undefined }
  const refused = await call(running.url, { ...asked, rawBody: `{"x":"${'x'.repeat(16 * 1024)}"}` })
  expect([refused.status, refused.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  const read = await call(running.url, { ...asked, rawBody: `{"x":"${'x'.repeat(15 * 1024)}"}` })
  expect([read.status, read.body.code]).toEqual([422, 'VALIDATION_ERROR'])
})

it('the refusal names the limit of values in a body', async () => {
  const create = operations.find(({ id }) => id === 'customers.create')
  if (create === undefined) throw new Error('customers.create is no operation any more')
  const asked = { ...goodRequest(create, world), body: undefined }
  const { status, body } = await call(running.url, { ...asked, rawBody: manyFields(10_001) })
  expect(status).toBe(422)
  expect(body.details).toEqual([
    { field: '', message: 'must not hold more than 10000 values', rule: 'max', in: 'body' },
  ])
})
