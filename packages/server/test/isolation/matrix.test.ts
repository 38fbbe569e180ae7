import {
  type AnyOperation,
  isRoleAtLeast,
  type OperationAuth,
  operations,
  type Permission,
  permissions,
  rolePermissions,
  roles,
} from '@crmkit/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Call, call } from '../support/call.ts'
import { type RunningService, startService } from '../support/start-service.ts'
import { type Sample, samples } from './samples.ts'
import { createTenantWorld, type TenantWorld } from './world.ts'

let running: RunningService
let attacker: TenantWorld
let victim: TenantWorld
let cells = 0

beforeAll(async () => {
  running = await startService()
  attacker = await createTenantWorld(running)
  victim = await createTenantWorld(running)
})
afterAll(async () => {
  await running.stop()
  process.stdout.write(`isolation matrix: ${cells} cells\n`)
})

/** Declares a test only where it has something to prove: what does not apply is not a skipped test. */
const itWhen = (applies: boolean) => (name: string, test: () => Promise<void>) => {
  if (applies) it(name, test)
}

function requestOf(operation: AnyOperation, { params = {}, query, body }: Sample): Call {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  return { method: operation.method, path: query ? `${path}?${query}` : path, body }
}

async function send(operation: AnyOperation, sample: Sample, token?: string): Promise<Answer> {
  cells += 1
  return call(running.url, { ...requestOf(operation, sample), token })
}

function isEnough(
  auth: Exclude<OperationAuth, { kind: 'none' | 'session' }>,
  granted: readonly Permission[],
) {
  if (auth.kind === 'anyOf') return auth.permissions.some((permission) => granted.includes(permission))
  return [auth.permission, ...(auth.also ?? [])].every((permission) => granted.includes(permission))
}

/** A credential that may do it. */
function rightToken({ auth }: AnyOperation, world: TenantWorld): string | undefined {
  if (auth.kind === 'none') return undefined
  if (auth.kind === 'session') return world.tokens.owner
  return auth.kind === 'anyOf' || auth.also ? world.keyWithAll : world.keys[auth.permission]
}

/** Every credential that must not be enough, by name. */
function wrongTokens({ auth }: AnyOperation, world: TenantWorld): [string, string][] {
  if (auth.kind === 'none') return []
  const lesserRoles = roles.filter((role) =>
    auth.kind === 'session' ? !isRoleAtLeast(role, auth.role) : !isEnough(auth, rolePermissions[role]),
  )
  const lesserKeys = permissions.filter(
    (permission: Permission) => auth.kind === 'session' || !isEnough(auth, [permission]),
  )
  return [
    ...lesserRoles.map((role): [string, string] => [`a session of role ${role}`, world.tokens[role]]),
    ...lesserKeys.map((permission): [string, string] => [`a key with ${permission}`, world.keys[permission]]),
    ...(auth.kind === 'session'
      ? [['a key with every permission', world.keyWithAll] as [string, string]]
      : []),
  ]
}

/** Every credential of the tenant that is enough for the operation. */
function sufficientTokens({ auth }: AnyOperation, world: TenantWorld): [string, string][] {
  if (auth.kind === 'none') return []
  const ableRoles = roles.filter((role) =>
    auth.kind === 'session' ? isRoleAtLeast(role, auth.role) : isEnough(auth, rolePermissions[role]),
  )
  const ableKeys: [string, string][] =
    auth.kind === 'session'
      ? []
      : [
          ...permissions
            .filter((permission) => isEnough(auth, [permission]))
            .map((permission): [string, string] => [permission, world.keys[permission]]),
          ['every permission', world.keyWithAll],
        ]
  return [...ableRoles.map((role): [string, string] => [role, world.tokens[role]]), ...ableKeys]
}

const problem = {
  field: expect.any(String),
  message: expect.any(String),
  rule: expect.any(String),
  in: expect.any(String),
}

const withoutRequestId = ({ body: { requestId: _id, ...body } }: Answer) => body

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  const usesBody = operation.method !== 'GET'
  const hasIdInPath = operation.path.includes('{')

  // A stream does not end; `http/event-stream.test.ts` reads them.
  itWhen(!('isStream' in operation))(
    'succeeds with the right credential, so that the refusals below mean something',
    async () => {
      // A world of its own: some operations use it up.
      const world = await createTenantWorld(running)
      const answer = await send(operation, samples[id](world), rightToken(operation, world))
      expect(answer.body).toMatchObject({ success: true })
      expect(answer.status).toBe(operation.status)
      expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/)
      expect(answer.headers.get('x-api-version')).toBe('v1')
    },
  )

  itWhen(operation.auth.kind !== 'none')(
    'refuses a request without a credential or with a made-up one',
    async () => {
      for (const token of [undefined, 'made-up', 'sk_live_0000000000000000000000000000000000000']) {
        const answer = await send(operation, samples[id](attacker), token)
        expect(answer.status).toBe(401)
        expect(answer.body.code).toBe(token?.startsWith('sk_') ? 'API_KEY_INVALID' : 'AUTH_REQUIRED')
      }
    },
  )

  itWhen(operation.auth.kind !== 'none')(
    'refuses every credential that lacks the permission or the role',
    async () => {
      for (const [name, token] of wrongTokens(operation, attacker)) {
        const answer = await send(operation, samples[id](attacker), token)
        expect({ name, status: answer.status }).toEqual({ name, status: 403 })
        expect(answer.body).toMatchObject({ code: 'PERMISSION_DENIED', required: expect.any(String) })
      }
    },
  )

  itWhen(hasIdInPath)('answers another tenant’s id exactly as an unknown one', async () => {
    for (const [name, token] of sufficientTokens(operation, attacker)) {
      const { params = {}, ...sample } = samples[id](victim)
      const own = samples[id](attacker).body
      const foreign = await send(operation, { ...sample, body: own, params }, token)
      expect({ name, status: foreign.status }).toEqual({ name, status: 404 })
      for (const unknown of ['con_01J8ZZZZZZZZZZZZZZZZZZZZZZ', 'x', '%00', "' OR 1=1 --", 'ä'.repeat(300)]) {
        const answer = await send(operation, { ...sample, body: own, params: { id: unknown } }, token)
        expect(answer.status).toBe(404)
        expect(withoutRequestId(answer)).toEqual(withoutRequestId(foreign))
      }
    }
  })

  itWhen(bodyIds(operation).length > 0)(
    'refuses another tenant’s id in the body as a reference to nothing',
    async () => {
      for (const field of bodyIds(operation)) {
        const own = samples[id](attacker)
        const foreignBody = samples[id](victim).body as Record<string, unknown>
        const body = { ...(own.body as object), [field]: foreignBody[field] }
        const answer = await send(operation, { ...own, body }, rightToken(operation, attacker))
        expect(answer.status).toBe(422)
        expect(answer.body.details).toEqual([{ ...problem, field, rule: 'reference', in: 'body' }])
      }
    },
  )

  itWhen(operation.method === 'GET' && id.endsWith('.list'))('lists nothing of another tenant', async () => {
    const theirs = JSON.stringify(Object.values(ids(victim)))
    for (const sample of [samples[id](victim), { ...samples[id](attacker), query: '' }]) {
      const { params } = samples[id](attacker)
      const answer = await send(
        operation,
        { ...sample, ...(params && { params }) },
        rightToken(operation, attacker),
      )
      expect(answer.status).toBe(200)
      for (const foreignId of JSON.parse(theirs)) expect(JSON.stringify(answer.body)).not.toContain(foreignId)
    }
  })

  itWhen(usesBody)('names the field and the rule for garbage in the body', async () => {
    const token = rightToken(operation, attacker)
    const sample = samples[id](attacker)
    const unknown = await send(
      operation,
      { ...sample, body: { ...(sample.body as object), surprise: 1 } },
      token,
    )
    expect(unknown.status).toBe(422)
    expect(unknown.body.details).toContainEqual({
      ...problem,
      field: 'surprise',
      rule: 'unknown_field',
      in: 'body',
    })
    for (const garbage of [[], 'text', 7, null]) {
      const answer = await send(operation, { ...sample, body: garbage }, token)
      expect(answer.status).toBe(422)
      expect(answer.body.details).toEqual([{ ...problem, rule: 'type', in: 'body' }])
    }
    for (const field of Object.keys((sample.body as object | undefined) ?? {})) {
      const answer = await send(
        operation,
        { ...sample, body: { ...(sample.body as object), [field]: { un: 'expected' } } },
        token,
      )
      expect(answer.status).toBe(422)
      expect(answer.body).toMatchObject({
        success: false,
        code: 'VALIDATION_ERROR',
        requestId: expect.any(String),
      })
      for (const detail of answer.body.details) expect(detail).toEqual(problem)
      expect(answer.body.details.map((detail: { field: string }) => detail.field.split('.')[0])).toContain(
        field,
      )
    }
  })
})

it('left the other tenant untouched by everything above', async () => {
  const { tokens } = victim
  const read = async (path: string) => (await call(running.url, { path, token: tokens.owner })).body.data
  expect(await read(`/api/v1/customers/${victim.customerId}`)).toMatchObject({
    profile: { firstName: 'Ada', company: null },
  })
  expect(await read(`/api/v1/conversations/${victim.conversationId}`)).toMatchObject({
    subject: 'Help',
    priority: 'medium',
  })
  expect(await read(`/api/v1/webhooks/${victim.webhookId}`)).toMatchObject({ name: 'Sample' })
  expect(await read(`/api/tenant/api-keys/${victim.apiKeyId}`)).toMatchObject({
    name: 'Sample',
    isActive: true,
  })
  expect(await read(`/api/v1/users/${victim.userId}`)).toMatchObject({
    firstName: 'Olive',
    lastName: 'Owner',
  })
})

function ids({
  tokens: _tokens,
  keys: _keys,
  keyWithAll: _all,
  refreshToken: _refresh,
  ...rest
}: TenantWorld) {
  return rest
}

/** Fields of the sample's body that hold ids. */
function bodyIds(operation: AnyOperation): string[] {
  const world = {
    inboxId: 'inb_',
    customerId: 'cus_',
    userId: 'usr_',
    email: '',
    refreshToken: '',
  } as TenantWorld
  const body = (samples[operation.id](world).body ?? {}) as Record<string, unknown>
  return Object.entries(body)
    .filter(([, value]) => typeof value === 'string' && /^[a-z]{3}_/.test(value))
    .map(([field]) => field)
}
