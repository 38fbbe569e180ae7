import { type AnyOperation, type Operation, operations, type ReferenceKind } from '@crmkit/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { eachNthByDay, runsAll } from '../support/by-day.ts'
import { type CallResponse, call, password } from '../support/call.ts'
import { openStream } from '../support/open-stream.ts'
import type { RunningService } from '../support/start-service.ts'
import { startServiceWithCrm } from '../support/start-with-crm.ts'
import { isMongoWorld } from '../support/test-world.ts'
import {
  createCaller,
  credentialsOf,
  problem,
  strongestTokens,
  sufficientTokens,
  withoutRequestId,
} from './credentials.ts'
import { fieldsUsedBy } from './fields-used.ts'
import {
  failsByRow,
  fieldsOf,
  hasExternalPath,
  idParamsOf,
  type RequestField,
  readsByQuery,
  refusesUnknownInQuery,
  rowsIn,
  searchesOnlyWith,
  withField,
} from './request-fields.ts'
import { type Sample, samples } from './samples.ts'
import { idsOf, secretsOf, snapshotOf } from './tenant-snapshot.ts'
import { createSmallWorld, createTenantWorld, type TenantWorld } from './world.ts'

// All uses of another tenant's ids and positions: every operation × every field that accepts one × every sufficient
// credential. No response may hold anything of the other tenant. The code above the storage decides what a credential may do: on
// MongoDB the strongest credentials ask by day, and all of them at night. By day the credentials share the values of kinds that a field does
// not name, so that each value is sent; at night each credential sends all of them.

let running: RunningService
let attacker: TenantWorld
let victim: TenantWorld
let victimBefore: Map<string, unknown>
let victimPositions: Map<string, string>
let secrets: string[]
let leaks = 0
const caller = createCaller(() => running.url)

beforeAll(async () => {
  running = await startServiceWithCrm()
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

const asksWithStrongest = isMongoWorld && !runsAll

function askersOf(operation: AnyOperation) {
  const all = credentialsOf(operation, attacker)
  if (!asksWithStrongest) return all
  const strongest = strongestTokens(operation, attacker)
  return all.filter(({ token }) => strongest.includes(token))
}

function tokensOf(operation: AnyOperation): (string | undefined)[] {
  return (asksWithStrongest ? strongestTokens : sufficientTokens)(operation, attacker)
}

/** Sends a request of the attacker; fails when the response holds anything of the victim. */
async function attack(
  operation: AnyOperation,
  sample: Sample,
  token: string | undefined,
): Promise<CallResponse> {
  const response = await caller.send(operation, sample, token)
  const text = JSON.stringify([response.body, [...response.headers]])
  const found = secrets.filter((secret) => text.includes(secret))
  leaks += found.length
  expect(found, `${operation.id} ${JSON.stringify(sample)} leaks`).toEqual([])
  return response
}

/** The ids of the given tenant that a field of a request can name. The compiler insists on every kind. */
const namedBy: { readonly [Kind in ReferenceKind]: (world: TenantWorld) => readonly string[] } = {
  tenant: ({ tenantId }) => [tenantId],
  user: ({ userId, invitedUserId }) => [userId, invitedUserId],
  inbox: ({ inboxId, emptyInboxId }) => [inboxId, emptyInboxId],
  customer: ({ customerId, otherCustomerId }) => [customerId, otherCustomerId],
  conversation: ({ conversationId }) => [conversationId],
  message: ({ messageId }) => [messageId],
  attachment: ({ attachmentId }) => [attachmentId],
  draft: ({ draftId }) => [draftId],
  integration: ({ integrationId }) => [integrationId],
  position: () => [...victimPositions.values()],
  external: ({ externalId }) => [`shop:${externalId}`],
}

/** A position in each of the tenant's lists. */
async function positionsOf(world: TenantWorld): Promise<Map<string, string>> {
  const positions = new Map<string, string>()
  for (const operation of operations) {
    if (operation.method !== 'GET' || 'isStream' in operation) continue
    if (!fieldsOf(operation).some(({ to }) => to === 'position')) continue
    const { params } = samples[operation.id](world)
    // The drafts of the world are planned; this list shows others by default.
    const query = operation.id === 'drafts.listOwn' ? 'state=planned&limit=1' : 'limit=1'
    const sample = { ...(params && { params }), query }
    const { body } = await caller.send(operation, sample, strongestTokens(operation, world)[0])
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

/** At most so many credentials share the values of other kinds. */
const sharingMax = 4

/** The values for each credential: all of the first list, and by day a part of the others, so that together they send every one. */
function shared<Token>(
  tokens: readonly Token[],
  all: readonly string[],
  others: readonly string[],
): { token: Token; values: ReadonlySet<string> }[] {
  const parts = Math.min(sharingMax, tokens.length)
  return tokens.map((token, turn) => ({
    token,
    values: new Set([...all, ...eachNthByDay(others, parts, turn)]),
  }))
}

const itWhen = (applies: boolean) => (name: string, test: () => Promise<void>) => {
  if (applies) it(name, test)
}

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  const paramNames = idParamsOf(operation)
  const fields = fieldsOf(operation)
  const own = () => samples[id](attacker)
  const references = (place: RequestField['place']) =>
    fields.filter((field) => field.place === place && field.to !== undefined && field.to !== 'position')

  itWhen(paramNames.length > 0)(
    'responds to another tenant’s id in the path exactly as to an unknown one [auth.tenant]',
    async () => {
      const { params: all = {} } = samples[id](victim)
      const foreign = Object.fromEntries(paramNames.map((name) => [name, all[name] ?? '']))
      for (const { name, token, isEnough } of askersOf(operation)) {
        const params = { ...own().params, ...mapped(foreign, unknownIds[0]) }
        const unknown = await attack(operation, { ...own(), params }, token)
        expect({ name, status: unknown.status }).toEqual({ name, status: isEnough ? 404 : 403 })
        for (const mixed of mixtures(own().params ?? {}, foreign)) {
          const params = { ...own().params, ...mixed }
          const response = await attack(operation, { ...own(), params }, token)
          expect({ name, params, response: withoutRequestId(response) }).toEqual({
            name,
            params,
            response: withoutRequestId(unknown),
          })
        }
      }
      const params = { ...own().params, ...foreign }
      const response = await attack(operation, { ...own(), params }, undefined)
      expect(response.status).toBe(401)
    },
  )

  itWhen(paramNames.length > 0)('responds to any unknown id with one 404 [error.notFound]', async () => {
    for (const { token, values } of shared(strongestTokens(operation, attacker), unknownIds, idsOf(victim))) {
      for (const name of paramNames) {
        for (const value of values) {
          const params = { ...own().params, [name]: value }
          const response = await attack(operation, { ...own(), params }, token)
          expect([value, response.status]).toEqual([value, 404])
          expect(response.body).toMatchObject({ code: 'NOT_FOUND' })
        }
      }
    }
  })

  itWhen(hasExternalPath(operation))(
    'changes a resource of its own by an external id that another tenant uses [own.findOrCreate]',
    async () => {
      const other = await createSmallWorld(running, fieldsUsedBy(operation))
      for (const token of tokensOf(operation)) {
        const foreign = { ...samples[id](other), body: { firstName: 'Ours' } }
        const response = await attack(operation, foreign, token)
        expect([response.status, response.body.data.tenantId]).toEqual([200, attacker.tenantId])
        const text = JSON.stringify(response.body).replaceAll(other.externalId, '')
        for (const secret of secretsOf(other)) expect(text).not.toContain(secret)
      }
    },
  )

  itWhen(id in failsByRow)(
    'changes nothing by another tenant’s ids, and says of each no more than that [auth.tenant]',
    async () => {
      const wrong = [...new Set([...idsOf(victim), ...unknownIds.slice(0, 3)])]
      for (const token of tokensOf(operation)) {
        const body = failsByRow[id]?.(wrong)
        // Each row names the id that was sent.
        const response = await caller.send(operation, { ...own(), body }, token)
        expect(response.status).toBe(200)
        const rows = response.body.data as Record<string, unknown>[]
        expect(rows.map(({ _id, result, code }) => ({ _id, result, code }))).toEqual(
          wrong.map((_id) => ({ _id, result: 'failed', code: 'NOT_FOUND' })),
        )
        const saying = new Set(['index', '_id', 'result', 'code'])
        const others = rows.flatMap((row) => Object.entries(row).filter(([name]) => !saying.has(name)))
        for (const [name, value] of others)
          expect([name, value]).toEqual([name, name === 'problems' ? [] : null])
      }
    },
  )

  const inBody = references('body').filter(
    ({ to, path }) => to !== 'tenant' && !(id in failsByRow && path[0] === 'ids'),
  )
  itWhen(inBody.length > 0)(
    'refuses another tenant’s id in the body as a reference to an unknown resource [auth.tenant]',
    async () => {
      for (const { path, to } of inBody) {
        const wrong = [...namedBy[to!](victim), ...unknownIds.slice(0, 3)]
        for (const { token, values } of shared(tokensOf(operation), wrong, idsOf(victim))) {
          for (const value of values) {
            const body = withField(own().body, path, value)
            const response = await attack(operation, { ...own(), body }, token)
            const field = path.join('.').replace('[]', '0')
            expect([field, value, response.status]).toEqual([field, value, 422])
            expect(response.body.details).toEqual([{ ...problem, field, rule: 'reference', in: 'body' }])
          }
        }
      }
    },
  )

  itWhen(inBody.length > 1)('names every unknown reference at once [own.details]', async () => {
    const body = inBody.reduce(
      (made, { path, to }) => withField(made, path, namedBy[to!](victim)[0]),
      own().body,
    )
    const response = await attack(operation, { ...own(), body }, strongestTokens(operation, attacker).at(-1))
    expect(response.status).toBe(422)
    const named = response.body.details.map(({ field }: { field: string }) => field)
    expect(named.sort()).toEqual(inBody.map(({ path }) => path.join('.').replace('[]', '0')).sort())
  })

  itWhen(references('query').length > 0)('finds nothing by another tenant’s id [auth.tenant]', async () => {
    for (const { path, to } of references('query')) {
      const wrong = [...namedBy[to!](victim), ...unknownIds.slice(0, 1)]
      for (const { token, values } of shared(tokensOf(operation), wrong, idsOf(victim))) {
        for (const value of values) {
          const query = `${path[0]}=${value}`
          const response = await attack(operation, { ...own(), query }, token)
          const refused = refusesUnknownInQuery.has(id) ? 422 : 404
          const isRefused = refused === 422 || readsByQuery.has(id)
          const nothing = isRefused ? [refused, undefined] : [200, []]
          expect([query, response.status, response.body.data]).toEqual([query, ...nothing])
        }
      }
    }
  })

  // A zone is one of a fixed list, as the words of an enum.
  const texts = fields.filter(
    ({ place, path, to, schema }) =>
      place === 'query' && to === undefined && isText(schema) && path[0] !== 'timeZone',
  )
  // The public key of a widget is no word to search for: every other one is unknown.
  itWhen(texts.length > 0 && !('isStream' in operation) && id !== 'widget.config')(
    'finds nothing by another tenant’s words',
    async () => {
      for (const token of tokensOf(operation)) {
        for (const { path } of texts) {
          const query = [`${path[0]}=${victim.marker}`, searchesOnlyWith[id]].filter(Boolean).join('&')
          const response = await attack(operation, { ...own(), query }, token)
          expect([query, response.status]).toEqual([query, 200])
          expect(rowsIn(id, response.body.data)).toEqual([])
        }
      }
    },
  )

  const positions = fields.filter(({ to }) => to === 'position')
  itWhen(positions.length > 0 && !('isStream' in operation))(
    'returns its own rows or none for another tenant’s position [own.positions]',
    async () => {
      const ofThisList = [victimPositions.get(id) ?? []].flat()
      for (const { place, path } of positions) {
        for (const { token, values } of shared(tokensOf(operation), ofThisList, namedBy.position(victim))) {
          for (const value of values) {
            const sample =
              place === 'query'
                ? { ...own(), query: `${path[0]}=${encodeURIComponent(value)}` }
                : { ...own(), body: withField(own().body, path, value) }
            const response = await attack(operation, sample, token)
            expect([200, 422]).toContain(response.status)
            if (response.status === 422) expect(response.body.details).toMatchObject([{ in: place }])
          }
        }
      }
    },
  )

  const isRemembered = operation.method === 'POST' && operation.auth.kind !== 'none'
  itWhen(isRemembered && (operation as Operation).idempotency !== 'never')(
    'returns no reply that another tenant’s Idempotency-Key has made [own.positions]',
    async () => {
      const fields = [...fieldsUsedBy(operation)]
      const [other, ours] = [await createSmallWorld(running, fields), await createSmallWorld(running, fields)]
      const headers = { 'idempotency-key': `theirs-${id}` }
      const theirs = { ...samples[id](other), headers }
      const first = await caller.send(operation, theirs, strongestTokens(operation, other)[0])
      expect(first.status).toBe(operation.status)
      for (const token of strongestTokens(operation, ours)) {
        // The same request as the other tenant's, and one of the attacker's own with the same key.
        for (const asked of [theirs, { ...samples[id](ours), headers }]) {
          const response = await attack(operation, asked, token)
          expect(response.headers.get('idempotency-replayed')).toBeNull()
          expect(response.body.code).not.toBe('IDEMPOTENCY_KEY_REUSED')
          const text = JSON.stringify(response.body)
          for (const secret of secretsOf(other)) expect(text).not.toContain(secret)
          // Where both requests are equal, the second would rightly be a replay of the attacker's own.
          if (response.status < 300) break
        }
      }
    },
  )
})

it.each(['after', 'Last-Event-ID'])(
  'a stream shows nothing of another tenant from its position in %s [own.positions]',
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
        // It is the last event of the attacker's log: any older event came before it.
        for (let count = 1; !stream.text().includes(body.data._id); count++) await stream.waitFor(count)
      }
      expect(secrets.filter((secret) => stream.text().includes(secret))).toEqual([])
    } finally {
      stream.close()
    }
  },
)

it('signs no person in to a tenant without a membership, and does not reveal whether the tenant exists', async () => {
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

it('declares for every field of a request whether it names a resource', () => {
  const namesNothing = new Set([
    'clientMessageId',
    'message.clientMessageId',
    // The sender's own word for one of the choices of a message.
    'choice.choiceId',
    'rateLimit.window',
    // Of an app at an external CRM.
    'credentials.clientId',
    // Compared with the stored value, and never looked up.
    'expected.inboxId',
    'expected.customerId',
    // Names of mail servers.
    'email.authservIds',
  ])
  const undeclared = operations.flatMap((operation) =>
    fieldsOf(operation).flatMap(({ path, to, schema }) => {
      const name = path.filter((step) => step !== '[]').join('.')
      if (to !== undefined || namesNothing.has(name)) return []
      const isFlag = schema._zod.def.type === 'boolean'
      const looksLikeOne =
        !isFlag && /(^i|I)ds?$|^(members|assignedTo|attachments|cursor|after|before)$/.test(name)
      // Other texts have a bound or a format.
      const couldBeOne = isText(schema) && (schema as z.ZodString).maxLength === null
      return looksLikeOne || couldBeOne ? [`${operation.id}: ${name}: declare it with referenceTo()`] : []
    }),
  )
  expect(undeclared).toEqual([])
})

it('has left the other tenant unchanged by all requests above, in more than 2,000 variants [auth.tenant]', async () => {
  expect(await snapshotOf(running, victim)).toEqual(victimBefore)
  expect(caller.cells).toBeGreaterThan(2000)
})

function isText(schema: z.core.$ZodType): boolean {
  return schema._zod.def.type === 'string' && (schema as z.ZodString).format === null
}

function mapped(object: Record<string, string>, value = ''): Record<string, string> {
  return Object.fromEntries(Object.keys(object).map((name) => [name, value]))
}

/** Every choice of own and foreign ids except the one with own ids only. */
function mixtures(own: Record<string, string>, foreign: Record<string, string>): Record<string, string>[] {
  const mixed = Object.keys(foreign).reduce<Record<string, string>[]>(
    (made, name) =>
      made.flatMap((params) => [own, foreign].map((from) => ({ ...params, [name]: from[name] ?? '' }))),
    [{}],
  )
  return mixed.slice(1)
}
