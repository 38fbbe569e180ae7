import { type AnyOperation, isOfWidget, type Operation, operations } from '@crmkit/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '../support/call.ts'
import type { RunningService } from '../support/start-service.ts'
import { startServiceWithCrm } from '../support/start-with-crm.ts'
import { requestOf, strongestTokens } from './credentials.ts'
import { type Sample, samples } from './samples.ts'
import { createSmallWorld, type SmallWorld } from './world.ts'

let running: RunningService
beforeAll(async () => {
  running = await startServiceWithCrm()
})
afterAll(() => running.stop())

const posts = operations.filter((operation: Operation) => operation.method === 'POST')
const remembering = posts.filter(
  ({ auth, ...operation }: Operation) => auth.kind !== 'none' && operation.idempotency !== 'never',
)
const never = posts.filter(
  ({ auth, ...operation }: Operation) => auth.kind === 'none' || operation.idempotency === 'never',
)

function send(world: SmallWorld, operation: AnyOperation, { sample, key }: { sample: Sample; key: string }) {
  const token = strongestTokens(operation, world)[0]
  const headers = { 'idempotency-key': key }
  return call(running.url, { ...requestOf(operation, { ...sample, headers }), token })
}

describe.each(remembering.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  it('does its work once for one Idempotency-Key, and marks the second response as a replay', async () => {
    const world = await createSmallWorld(running)
    const asked = { sample: samples[id](world), key: `once-${id}` }
    const first = await send(world, operation, asked)
    expect(first.status).toBe(operation.status)
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    const second = await send(world, operation, asked)
    if ((operation as Operation).idempotency === 'secret') {
      expect([second.status, second.body.code]).toEqual([409, 'CONFLICT'])
      expect(second.body.details).toEqual({ _id: first.body.data._id })
      return
    }
    expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([first.status, 'true'])
    expect(second.body).toEqual(first.body)
  })
})

it.each(never.map((operation) => [operation.id, operation] as const))(
  '%s ignores an Idempotency-Key',
  async (id, operation) => {
    const world = await createSmallWorld(running)
    const asked = { sample: samples[id](world), key: `never-${id}` }
    const responses = [await send(world, operation, asked), await send(world, operation, asked)]
    for (const { headers } of responses) expect(headers.get('idempotency-replayed')).toBeNull()
  },
)

it('excludes signing in, also at an external CRM, visitors of the widget and capability tokens, and no other operation', () => {
  const others = never.filter((operation) => !operation.id.startsWith('auth.') && !isOfWidget(operation))
  expect(others.map(({ id }) => id)).toEqual(['telephony.createToken', 'integrations.connect'])
})
