import { operations } from '@crmkit/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunningService } from '../support/start-service.ts'
import { startServiceWithCrm } from '../support/start-with-crm.ts'
import { access } from './access.ts'
import { createCaller, credentialsOf, problem, strongestTokens } from './credentials.ts'
import { idParamsOf, needsQuery } from './request-fields.ts'
import { samples } from './samples.ts'
import { createTenantWorld, type TenantWorld } from './world.ts'

// The permissions of every operation, with every kind of credential. `effects.test.ts` shows that each succeeds with the right one,
// `foreign-ids.test.ts` is about other tenants.

let running: RunningService
let world: TenantWorld
const caller = createCaller(() => running.url)

beforeAll(async () => {
  running = await startServiceWithCrm()
  world = await createTenantWorld(running)
})
afterAll(async () => {
  await running.stop()
  process.stdout.write(`permission matrix on ${process.env['CRM_TEST_WORLD']}: ${caller.cells} cells\n`)
})

/** Declares a test only where it has something to prove: an inapplicable rule is not a skipped test. */
const itWhen = (applies: boolean) => (name: string, test: () => Promise<void>) => {
  if (applies) it(name, test)
}

const unknownId = 'con_01J8ZZZZZZZZZZZZZZZZZZZZZZ'

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  const usesForm = 'upload' in operation
  const usesBody = operation.method !== 'GET' && !usesForm
  const hasIdInPath = idParamsOf(operation).length > 0
  const isStream = 'isStream' in operation

  it('is open to every caller, or to none without a credential, as the contract says', () => {
    expect(operation.auth.kind === 'none').toBe(access[id] === 'anybody')
  })

  itWhen(operation.auth.kind !== 'none')(
    'refuses a request without a credential or with an invented one [error.authRequired]',
    async () => {
      for (const token of [undefined, 'made-up', 'sk_live_0000000000000000000000000000000000000']) {
        const response = await caller.send(operation, samples[id](world), token)
        expect(response.status).toBe(401)
        expect(response.body.code).toBe(token?.startsWith('sk_') ? 'API_KEY_INVALID' : 'AUTH_REQUIRED')
      }
    },
  )

  itWhen(operation.auth.kind !== 'none')(
    'refuses every credential that lacks the permission or the role, and no other [apiKeys.sessionOnly analytics.* permission.* auth.sessionInstead error.permissionDenied]',
    async () => {
      const sample = samples[id](world)
      // Passes the permission check and changes nothing.
      const harmless = isStream
        ? { asked: { query: 'after=garbage' }, status: 422 }
        : hasIdInPath
          ? { asked: { ...sample, params: paramsOf(operation.path, unknownId) }, status: 404 }
          : usesForm
            ? { asked: { ...sample, form: { ...sample.form, surprise: '1' } }, status: 422 }
            : usesBody
              ? { asked: { ...sample, body: { ...(sample.body as object), surprise: 1 } }, status: 422 }
              : { asked: { ...sample, query: '' }, status: needsQuery.has(id) ? 422 : 200 }
      for (const { name, token, isEnough } of credentialsOf(operation, world)) {
        const response = await caller.send(operation, isEnough ? harmless.asked : sample, token)
        const status = isEnough ? harmless.status : 403
        expect({ name, status: response.status }).toEqual({ name, status })
        if (!isEnough) {
          expect(response.body).toMatchObject({ code: 'PERMISSION_DENIED', required: expect.any(String) })
          expect(response.body).toHaveProperty('granted')
        }
      }
    },
  )

  itWhen(usesForm)('names the field and the rule for invalid values in the form', async () => {
    const token = strongestTokens(operation, world).at(-1)
    const asked = samples[id](world)
    const { file, ...texts } = asked.form ?? {}
    for (const [garbage, field, rule] of [
      [{ ...texts, file: file ?? '', surprise: '1' }, 'surprise', 'unknown_field'],
      [texts, 'file', 'required'],
      [{ ...texts, file: 'a text' }, 'file', 'type'],
      [{ ...texts, file: new File([], 'empty.txt') }, 'file', 'min'],
    ] as const) {
      const response = await caller.send(operation, { ...asked, form: garbage }, token)
      expect(response.status).toBe(422)
      expect(response.body.details).toContainEqual({ ...problem, field, rule, in: 'body' })
    }
  })

  itWhen(usesBody)(
    'names the field and the rule for invalid values in the body [error.validation own.unknownFields]',
    async () => {
      const token = strongestTokens(operation, world).at(-1)
      const sample = samples[id](world)
      const send = (body: unknown) => caller.send(operation, { ...sample, body }, token)
      const unknown = await send({ ...(sample.body as object), surprise: 1 })
      expect(unknown.status).toBe(422)
      const surprise = { ...problem, field: 'surprise', rule: 'unknown_field', in: 'body' }
      expect(unknown.body.details).toContainEqual(surprise)
      for (const garbage of [[], 'text', 7, null]) {
        const response = await send(garbage)
        expect(response.status).toBe(422)
        expect(response.body.details).toEqual([{ ...problem, rule: 'type', in: 'body' }])
      }
      for (const field of Object.keys((sample.body as object | undefined) ?? {})) {
        const response = await send({ ...(sample.body as object), [field]: { un: 'expected' } })
        expect(response.status).toBe(422)
        expect(response.body).toMatchObject({
          success: false,
          code: 'VALIDATION_ERROR',
          requestId: expect.any(String),
        })
        for (const detail of response.body.details) expect(detail).toEqual(problem)
        const named = response.body.details.map((detail: { field: string }) => detail.field.split('.')[0])
        expect(named).toContain(field)
      }
    },
  )
})

function paramsOf(path: string, value: string): Record<string, string> {
  return Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, value]))
}
