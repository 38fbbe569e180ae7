import { operations } from '@crmkit/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { goodRequest, withoutRequestId } from '../isolation/credentials.ts'
import { fieldsOf, withField } from '../isolation/request-fields.ts'
import { untilSettled } from '../isolation/tenant-snapshot.ts'
import { createSmallWorld, createTenantWorld, type TenantWorld } from '../isolation/world.ts'
import { type Call, call } from '../support/call.ts'
import type { RunningService } from '../support/start-service.ts'
import { startServiceWithCrm } from '../support/start-with-crm.ts'

// The rules for input of contract 1, tried on every field of every operation.

let running: RunningService
let world: TenantWorld
let hostileWorld: TenantWorld
beforeAll(async () => {
  running = await startServiceWithCrm()
  world = await createTenantWorld(running)
  hostileWorld = await createTenantWorld(running)
  await untilSettled(running, world)
})
afterAll(() => running.stop())

const everyOperation = operations
  .filter((operation) => !('isStream' in operation))
  .map((operation) => [operation.id, operation] as const)

const word = 'zqNeverSayThisAgain'
/** Values of the wrong form or type for nearly every field. */
const hostile: unknown[] = [
  `${word}\u0000`,
  `${word}\ud800`,
  `<script>${word}</script>\u0007`,
  word.repeat(10_000),
  { [word]: word },
  [word, { $gt: word }],
  [[word]],
]

describe.each(everyOperation)('%s', (_id, operation) => {
  it('never repeats a refused value, wherever it is in the request [own.noEcho]', async () => {
    // An operation that ends sessions has a tenant of its own; other operations that succeed do no harm to the rest.
    const theirs = operation.id.startsWith('auth.') ? await createSmallWorld(running) : hostileWorld
    const asked = goodRequest(operation, theirs)
    const requests: Call[] = fieldsOf(operation).flatMap(({ place, path }) =>
      hostile.map((value) =>
        place === 'body'
          ? { ...asked, form: undefined, body: withField(asked.body, path, value) }
          : { ...asked, path: `${asked.path.split('?')[0]}?${path[0]}=${textOf(value)}` },
      ),
    )
    requests.push(
      { ...asked, path: operation.path.replaceAll(/\{\w+\}/g, word) },
      { ...asked, token: word },
      { ...asked, headers: { 'x-api-version': word } },
      { ...asked, headers: { 'x-request-id': `${word}.x` } },
      { ...asked, headers: { 'idempotency-key': word.repeat(20) } },
    )
    for (const request of requests) {
      const { status, body, headers } = await call(running.url, request)
      expect(status, JSON.stringify(request).slice(0, 300)).toBeLessThan(500)
      if (status < 400) continue
      expect(JSON.stringify([body, [...headers]]), JSON.stringify(request).slice(0, 300)).not.toContain(
        `"${word}`,
      )
      expect(body.error).not.toContain(word)
      for (const detail of [body.details ?? []].flat()) expect(String(detail.message)).not.toContain(word)
    }
  })
})

const changes = everyOperation.filter(
  ([id, { method, ...operation }]) =>
    method === 'PUT' &&
    // Replaces the draft as a whole: an empty body is an empty draft of the next version.
    id !== 'drafts.save' &&
    'request' in operation &&
    'body' in operation.request &&
    operation.request.body.safeParse({}).success,
)

/** A list of steps, which is a view of the tenant. */
const withoutTimes = new Set(['tenant.updateSetup'])

describe('a PUT without a change', () => {
  it.each(changes)(
    'of %s responds with 200, changes nothing and sends no event [own.emptyPut]',
    async (id, operation) => {
      const asked = goodRequest(operation, world)
      const traces = async () => {
        const read = async (path: string) =>
          (await call(running.url, { path, token: world.tokens.owner })).body
        return [await read('/api/v1/events?after=latest'), await read('/api/tenant/audit-log')].map(
          ({ requestId: _id, ...body }) => body,
        )
      }
      const before = await traces()
      const responses = [
        await call(running.url, { ...asked, body: {} }),
        await call(running.url, { ...asked, body: undefined }),
      ]
      for (const response of responses) expect([id, response.status]).toEqual([id, 200])
      expect(withoutRequestId(responses[1]!)).toEqual(withoutRequestId(responses[0]!))
      const { updatedAt, createdAt } = responses[0]?.body.data ?? {}
      if (!withoutTimes.has(id)) expect(Date.parse(updatedAt)).toBeGreaterThanOrEqual(Date.parse(createdAt))
      expect(await traces()).toEqual(before)
    },
  )

  it('is tested for every resource that can be changed', () => {
    expect(changes.length).toBeGreaterThanOrEqual(8)
  })
})

const textOf = (value: unknown) =>
  encodeURIComponent(typeof value === 'string' ? value.toWellFormed().slice(0, 6000) : JSON.stringify(value))
