import { type AnyOperation, type Operation, operations, type ReferenceKind } from '@crmkit/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { type Answer, call, password } from '../support/call.ts'
import { openStream } from '../support/open-stream.ts'
import { type RunningService, startService } from '../support/start-service.ts'
import {
  createCaller,
  credentialsOf,
  problem,
  strongestTokens,
  sufficientTokens,
  withoutRequestId,
} from './credentials.ts'
import { fieldsOf, type RequestField, withField } from './request-fields.ts'
import { type Sample, samples } from './samples.ts'
import { idsOf, secretsOf, snapshotOf } from './tenant-snapshot.ts'
import { createTenantWorld, type TenantWorld } from './world.ts'

// What a tenant can do with another one's ids and positions: every operation × every place that takes one ×
// every credential that would be enough. Whatever is answered, it must hold nothing of the other tenant.

let running: RunningService
let attacker: TenantWorld
let victim: TenantWorld
let victimBefore: Map<string, unknown>
let victimPositions: Map<string, string>
let secrets: string[]
let leaks = 0
const caller = createCaller(() => running.url)

beforeAll(async () => {
  running = await startService()
  attacker = await createTenantWorld(running)
  victim = await createTenantWorld(running)
  secrets = secretsOf(victim)
  victimBefore = await snapshotOf(running, victim)
  victimPositions = await positionsOf(victim)
})
afterAll(async () => {
  await running.stop()
  process.stdout.write(
    `isolation matrix on ${process.env['CRM_TEST_WORLD']}: ${caller.cells} cells with another tenant’s ids, ${leaks} leaks\n`,
  )
})

/** A request of the attacker; fails when the answer tells anything of the victim. */
async function attack(operation: AnyOperation, sample: Sample, token: string | undefined): Promise<Answer> {
  const answer = await caller.send(operation, sample, token)
  const told = JSON.stringify([answer.body, [...answer.headers]])
  const found = secrets.filter((secret) => told.includes(secret))
  leaks += found.length
  expect(found, `${operation.id} ${JSON.stringify(sample)} tells`).toEqual([])
  return answer
}

/** What a field of a request can name, of the tenant that is given. The compiler insists on every kind. */
const namedBy: { readonly [Kind in ReferenceKind]: (world: TenantWorld) => readonly string[] } = {
  tenant: ({ tenantId }) => [tenantId],
  user: ({ userId, invitedUserId }) => [userId, invitedUserId],
  inbox: ({ inboxId, emptyInboxId }) => [inboxId, emptyInboxId],
  customer: ({ customerId, otherCustomerId }) => [customerId, otherCustomerId],
  conversation: ({ conversationId }) => [conversationId],
  attachment: ({ attachmentId }) => [attachmentId],
  position: () => [...victimPositions.values()],
}

/** A position in each of the tenant's lists. */
async function positionsOf(world: TenantWorld): Promise<Map<string, string>> {
  const positions = new Map<string, string>()
  for (const operation of operations) {
    if (operation.method !== 'GET' || 'isStream' in operation) continue
    if (!fieldsOf(operation).some(({ to }) => to === 'position')) continue
    const { params } = samples[operation.id](world)
    const sample = { ...(params && { params }), query: 'limit=1' }
    const { body } = await caller.send(operation, sample, world.tokens.owner)
    const position = body.pagination?.nextCursor ?? body.data.nextCursor
    expect(position, `${operation.id} has a second page`).toEqual(expect.any(String))
    positions.set(operation.id, position)
  }
  return positions
}

const unknownIds = [
  'con_01J8ZZZZZZZZZZZZZZZZZZZZZZ',
  'x',
  '\u0000',
  "' OR 1=1 --",
  '{"$ne":1}',
  'ä'.repeat(300),
]

const itWhen = (applies: boolean) => (name: string, test: () => Promise<void>) => {
  if (applies) it(name, test)
}

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  const paramNames = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const fields = fieldsOf(operation)
  const own = () => samples[id](attacker)
  const references = (place: RequestField['place']) =>
    fields.filter((field) => field.place === place && field.to !== undefined && field.to !== 'position')

  itWhen(paramNames.length > 0)(
    'answers another tenant’s id in the path exactly as an unknown one',
    async () => {
      const foreign = samples[id](victim).params ?? {}
      for (const { name, token, isEnough } of credentialsOf(operation, attacker)) {
        const unknown = await attack(operation, { ...own(), params: mapped(foreign, unknownIds[0]) }, token)
        expect({ name, status: unknown.status }).toEqual({ name, status: isEnough ? 404 : 403 })
        for (const params of mixtures(own().params ?? {}, foreign)) {
          const answer = await attack(operation, { ...own(), params }, token)
          expect({ name, params, answer: withoutRequestId(answer) }).toEqual({
            name,
            params,
            answer: withoutRequestId(unknown),
          })
        }
      }
      const answer = await attack(operation, { ...own(), params: foreign }, undefined)
      expect(answer.status).toBe(401)
    },
  )

  itWhen(paramNames.length > 0)('answers any id that names no such thing with one 404', async () => {
    const anyIds = [...unknownIds, ...idsOf(victim)]
    for (const token of strongestTokens(operation, attacker)) {
      for (const name of paramNames) {
        for (const value of anyIds) {
          const params = { ...own().params, [name]: value }
          const answer = await attack(operation, { ...own(), params }, token)
          expect([value, answer.status]).toEqual([value, 404])
          expect(answer.body).toMatchObject({ code: 'NOT_FOUND' })
        }
      }
    }
  })

  const inBody = references('body').filter(({ to }) => to !== 'tenant')
  itWhen(inBody.length > 0)('refuses another tenant’s id in the body as a reference to nothing', async () => {
    for (const token of sufficientTokens(operation, attacker)) {
      for (const { path, to } of inBody) {
        const wrong = [...namedBy[to!](victim), ...idsOf(victim), ...unknownIds.slice(0, 3)]
        for (const value of wrong) {
          const body = withField(own().body, path, value)
          const answer = await attack(operation, { ...own(), body }, token)
          const field = path.join('.').replace('[]', '0')
          expect([field, value, answer.status]).toEqual([field, value, 422])
          expect(answer.body.details).toEqual([{ ...problem, field, rule: 'reference', in: 'body' }])
        }
      }
    }
  })

  itWhen(inBody.length > 1)('names every reference to nothing at once', async () => {
    const body = inBody.reduce(
      (made, { path, to }) => withField(made, path, namedBy[to!](victim)[0]),
      own().body,
    )
    const answer = await attack(operation, { ...own(), body }, strongestTokens(operation, attacker).at(-1))
    expect(answer.status).toBe(422)
    const named = answer.body.details.map(({ field }: { field: string }) => field)
    expect(named.sort()).toEqual(inBody.map(({ path }) => path.join('.').replace('[]', '0')).sort())
  })

  itWhen(references('query').length > 0)('finds nothing by another tenant’s id', async () => {
    for (const token of sufficientTokens(operation, attacker)) {
      for (const { path, to } of references('query')) {
        for (const value of [...namedBy[to!](victim), ...idsOf(victim), unknownIds[0]]) {
          const query = `${path[0]}=${value}`
          const answer = await attack(operation, { ...own(), query }, token)
          expect([query, answer.status, answer.body.data]).toEqual([query, 200, []])
        }
      }
    }
  })

  const texts = fields.filter(
    ({ place, to, schema }) => place === 'query' && to === undefined && isText(schema),
  )
  itWhen(texts.length > 0 && !('isStream' in operation))(
    'finds nothing by another tenant’s words',
    async () => {
      for (const token of sufficientTokens(operation, attacker)) {
        for (const { path } of texts) {
          const query = `${path[0]}=${victim.marker}`
          const answer = await attack(operation, { ...own(), query }, token)
          expect([query, answer.status]).toEqual([query, 200])
          expect(answer.body.data).toEqual([])
        }
      }
    },
  )

  const positions = fields.filter(({ to }) => to === 'position')
  itWhen(positions.length > 0 && !('isStream' in operation))(
    'reads its own rows or none from another tenant’s position',
    async () => {
      for (const token of sufficientTokens(operation, attacker)) {
        for (const { place, path } of positions) {
          for (const value of namedBy.position(victim)) {
            const sample =
              place === 'query'
                ? { ...own(), query: `${path[0]}=${encodeURIComponent(value)}` }
                : { ...own(), body: withField(own().body, path, value) }
            const answer = await attack(operation, sample, token)
            expect([200, 422]).toContain(answer.status)
            if (answer.status === 422) expect(answer.body.details).toMatchObject([{ in: place }])
          }
        }
      }
    },
  )

  const isRemembered = operation.method === 'POST' && operation.auth.kind !== 'none'
  itWhen(isRemembered && (operation as Operation).idempotency !== 'never')(
    'gives away no reply that another tenant’s Idempotency-Key made',
    async () => {
      const [other, ours] = [await createTenantWorld(running), await createTenantWorld(running)]
      const headers = { 'idempotency-key': `theirs-${id}` }
      const theirs = { ...samples[id](other), headers }
      const first = await caller.send(operation, theirs, strongestTokens(operation, other)[0])
      expect(first.status).toBe(operation.status)
      for (const token of strongestTokens(operation, ours)) {
        // The very request of the other tenant, and one of the attacker's own with the same key.
        for (const asked of [theirs, { ...samples[id](ours), headers }]) {
          const answer = await attack(operation, asked, token)
          expect(answer.headers.get('idempotency-replayed')).toBeNull()
          expect(answer.body.code).not.toBe('IDEMPOTENCY_KEY_REUSED')
          const told = JSON.stringify(answer.body)
          for (const secret of secretsOf(other)) expect(told).not.toContain(secret)
          // Where both are one request, the second would rightly be a replay of the attacker's own.
          if (answer.status < 300) break
        }
      }
    },
  )
})

it.each(['after', 'Last-Event-ID'])(
  'a stream shows nothing of another tenant from its position in %s',
  async (place) => {
    const position = victimPositions.get('events.list') ?? ''
    const stream = await openStream(running.url, {
      token: attacker.tokens.owner,
      ...(place === 'after'
        ? { query: `after=${encodeURIComponent(position)}` }
        : { headers: { 'Last-Event-ID': position } }),
    })
    try {
      expect([200, 422]).toContain(stream.status)
      if (stream.status === 200) {
        const { body } = await call(running.url, {
          method: 'POST',
          path: '/api/v1/customers',
          token: attacker.tokens.owner,
          body: { firstName: 'Ours' },
        })
        // It is the last event of the attacker's log: whatever the position led to came before it.
        for (let count = 1; !stream.text().includes(body.data._id); count++) await stream.waitFor(count)
      }
      expect(secrets.filter((secret) => stream.text().includes(secret))).toEqual([])
    } finally {
      stream.close()
    }
  },
)

it('signs nobody in to a tenant that is not theirs, and does not tell whether it exists', async () => {
  const login = (tenantId: string) =>
    call(running.url, {
      method: 'POST',
      path: '/api/auth/login',
      body: { email: attacker.email, password, tenantId },
    })
  const [foreign, unknown] = [await login(victim.tenantId), await login(unknownIds[0]!)]
  expect([foreign.status, foreign.body.code]).toEqual([401, 'AUTH_REQUIRED'])
  expect(withoutRequestId(foreign)).toEqual(withoutRequestId(unknown))
})

it('knows of every field of a request whether it names something', () => {
  const namesNothing = new Set(['clientMessageId', 'message.clientMessageId', 'rateLimit.window'])
  const undeclared = operations.flatMap((operation) =>
    fieldsOf(operation).flatMap(({ path, to, schema }) => {
      const name = path.filter((step) => step !== '[]').join('.')
      if (to !== undefined || namesNothing.has(name)) return []
      const looksLikeOne = /(^i|I)ds?$|^(members|assignedTo|attachments|cursor|after|before)$/.test(name)
      // Other texts have a bound or a form.
      const couldBeOne = isText(schema) && (schema as z.ZodString).maxLength === null
      return looksLikeOne || couldBeOne ? [`${operation.id}: ${name}: declare it with referenceTo()`] : []
    }),
  )
  expect(undeclared).toEqual([])
})

it('left the other tenant untouched by everything above, and was tried in more than 2,000 ways', async () => {
  expect(await snapshotOf(running, victim)).toEqual(victimBefore)
  expect(caller.cells).toBeGreaterThan(2000)
})

function isText(schema: z.core.$ZodType): boolean {
  return schema._zod.def.type === 'string' && (schema as z.ZodString).format === null
}

function mapped(object: Record<string, string>, value = ''): Record<string, string> {
  return Object.fromEntries(Object.keys(object).map((name) => [name, value]))
}

/** Every choice of own and foreign ids but the one that is all one's own. */
function mixtures(own: Record<string, string>, foreign: Record<string, string>): Record<string, string>[] {
  const mixed = Object.keys(own).reduce<Record<string, string>[]>(
    (made, name) =>
      made.flatMap((params) => [own, foreign].map((from) => ({ ...params, [name]: from[name] ?? '' }))),
    [{}],
  )
  return mixed.slice(1)
}
