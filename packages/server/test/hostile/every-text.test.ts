import { operations } from '@crmkit/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { goodRequest } from '../isolation/credentials.ts'
import { createSmallWorld, createTenantWorld, type TenantWorld } from '../isolation/world.ts'
import { eachNthByDay } from '../support/by-day.ts'
import type { RunningService } from '../support/start-service.ts'
import { startServiceWithCrm } from '../support/start-with-crm.ts'
import { expectFairCost } from './fair-cost.ts'
import {
  bytesMax,
  bytesOf,
  isRemoving,
  lengthsOf,
  operationsWithTexts,
  requestWith,
  textOf,
  worstUnits,
} from './hostile-texts.ts'

// No text of a caller may cost the service more than its length allows, in any field of any operation. The measure is
// the processor time of the whole process, in which this test sends its requests as well.

let running: RunningService
let world: TenantWorld
beforeAll(async () => {
  running = await startServiceWithCrm()
  world = await createTenantWorld(running)
})
afterAll(() => running.stop())

const headerLength = 12_000
/** Fields that name a resource or a person beside the path: no such one is 404, or 401. */
const namingFields = new Set(['key', 'userToken', 'integrationId', 'integration_id', 'id', 'state'])

const withTexts = operationsWithTexts.map(
  ({ operation, fields }) => [operation.id, operation, fields] as const,
)

let turn = 0
/** By day each field gets a third of the units, the next field the next third. */
const nextUnits = () => eachNthByDay(Object.entries(worstUnits), 3, turn++)

describe('a request costs at most 5 ms of processor time per KB, whatever text it holds', () => {
  it.each(withTexts)('in a field of %s', async (_id, operation, fields) => {
    // A tenant of its own for what ends sessions and for what removes the resource that it names.
    const needsOwnTenant = isRemoving(operation)
    const tenant = needsOwnTenant ? await createSmallWorld(running) : world
    for (const field of fields) {
      for (const [name, unit] of nextUnits()) {
        for (const length of lengthsOf(field, unit)) {
          const request = requestWith(goodRequest(operation, tenant), field, textOf(unit, length))
          const status = await expectFairCost(
            running.url,
            request,
            `${field.path.join('.')}: ${length} ${name}`,
          )
          const isNaming = namingFields.has(String(field.path.at(-1)))
          if (!needsOwnTenant && !isNaming) expect([401, 404]).not.toContain(status)
        }
      }
    }
  })

  it.each([
    'authorization',
    'x-api-key',
    'x-api-version',
    'x-request-id',
    'x-forwarded-for',
    'idempotency-key',
    'content-type',
    'content-encoding',
    'origin',
    'accept',
    'last-event-id',
  ])('in the header %s', async (name) => {
    const create = operations.find(({ id }) => id === 'customers.create')
    if (create === undefined) throw new Error('customers.create is no operation any more')
    for (const unit of ['a.', ',', ', ', ';', '; charset=', '"', '\\', '::', '/', '1.', '\u00fc']) {
      const asked = goodRequest(create, world)
      const headers = { ...asked.headers, [name]: textOf(unit, headerLength) }
      await expectFairCost(running.url, { ...asked, headers }, unit)
    }
  })

  it('in the name of an unknown field', async () => {
    for (const [id, operation] of withTexts.filter(([, { method }]) => method === 'POST')) {
      for (const [name, unit] of nextUnits()) {
        const most = Math.floor((bytesMax.body * 20_000) / bytesOf('body', textOf(unit, 20_000)))
        const asked = goodRequest(operation, world)
        const rawBody = JSON.stringify({ ...(asked.body as object), [textOf(unit, most)]: 1 })
        await expectFairCost(running.url, { ...asked, body: undefined, rawBody }, `${id}: ${name}`)
      }
    }
  })
})
