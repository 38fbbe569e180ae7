// Runs on both databases by day: a random walk over stored states.

import { type Arbitrary, constant, constantFrom, nat, oneof, record } from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { TenantId } from '../../src/storage/records.ts'
import { call, registerTenant } from '../support/call.ts'
import { runModel } from '../support/run-model.ts'
import { useService } from '../support/use-service.ts'

// The response to a request with a key after any sequence of changes, rotations and suspensions: contract 3 and its
// order of refusals, written a second time.

const running = useService()
let tenantId: TenantId
let token: string
beforeAll(async () => {
  const owner = await registerTenant(running.url)
  token = owner.token
  tenantId = owner.tenant._id
})

const keys = '/api/tenant/api-keys'
const send = (method: string, path: string, body?: unknown) =>
  call(running.url, { method, path, token, body })
const future = '2999-01-01T00:00:00.000Z'
const past = '2020-01-01T00:00:00.000Z'
const here = ['127.0.0.0/8']
const elsewhere = ['192.0.2.1']
const enough = ['read:customers']
const tooLittle = ['read:analytics']

/** `key` is the index of one of the keys that were made so far. */
type Action =
  | { type: 'put'; key: number; body: object }
  | { type: 'rotate'; key: number; overlapSeconds: number }
  | { type: 'revoke' | 'delete'; key: number }
  | { type: 'suspend' | 'resume' }

const key = nat(5)
const changes = constantFrom<object[]>(
  { isActive: true },
  { isActive: false },
  { expiresAt: future },
  { expiresAt: past },
  { expiresAt: null },
  { ipWhitelist: here },
  { ipWhitelist: elsewhere },
  { ipWhitelist: [] },
  { permissions: enough },
  { permissions: tooLittle },
  { isActive: true, expiresAt: null, ipWhitelist: null, permissions: enough },
  { isActive: false, expiresAt: past },
  {},
)
const action: Arbitrary<Action> = oneof(
  { weight: 6, arbitrary: record({ type: constant('put' as const), key, body: changes }) },
  {
    weight: 2,
    arbitrary: record({ type: constant('rotate' as const), key, overlapSeconds: constantFrom(0, 3600) }),
  },
  { weight: 2, arbitrary: record({ type: constantFrom('revoke', 'revoke', 'delete'), key }) },
  { weight: 1, arbitrary: record({ type: constantFrom('suspend', 'resume', 'resume') }) },
)

interface KeyModel {
  _id: string
  text: string
  isDeleted: boolean
  isActive: boolean
  isRotated: boolean
  end: 'none' | 'future' | 'soon' | 'past'
  ipWhitelist: string[]
  permissions: string[]
}
interface Walk {
  made: KeyModel[]
  isSuspended: boolean
}

const madeOf = (
  { _id, key: text }: { _id: string; key: string },
  settings: Partial<KeyModel> = {},
): KeyModel => ({
  isDeleted: false,
  isActive: true,
  isRotated: false,
  end: 'none',
  ipWhitelist: [],
  permissions: enough,
  ...settings,
  _id,
  text,
})

/** The refusals are in the order of contract 2. */
function responseOf(model: KeyModel, isSuspended: boolean): string {
  if (model.isDeleted) return '401 API_KEY_INVALID'
  if (!model.isActive) return '401 API_KEY_INACTIVE'
  if (model.end === 'past') return '401 API_KEY_EXPIRED'
  if (isSuspended) return '401 TENANT_SUSPENDED'
  if (model.ipWhitelist === elsewhere || model.permissions === tooLittle) return '403 PERMISSION_DENIED'
  return '200'
}

async function suspend(isSuspended: boolean): Promise<void> {
  const { system } = running.service.storage
  const { version = 0 } = (await system.findTenant(tenantId)) ?? {}
  const write = {
    op: 'update',
    kind: 'tenants',
    id: tenantId,
    expectVersion: version,
    set: { isSuspended },
  } as const
  await system.commit(tenantId, { writes: [write], events: [] })
}

/** Returns the management's response to an action, and applies the action to the model. */
async function take(walk: Walk, step: Action): Promise<void> {
  if (!('key' in step)) {
    walk.isSuspended = step.type === 'suspend'
    return suspend(walk.isSuspended)
  }
  const model = walk.made[step.key % walk.made.length] as KeyModel
  const path = `${keys}/${model._id}`
  const response =
    step.type === 'put'
      ? await send('PUT', path, step.body)
      : step.type === 'delete'
        ? await send('DELETE', path)
        : await send(
            'POST',
            `${path}/${step.type}`,
            step.type === 'rotate' ? { overlapSeconds: step.overlapSeconds } : undefined,
          )
  const outcome = `${response.status}${response.body.code ? ` ${response.body.code}` : ''}`
  const expected = outcomeOf(walk, model, step)
  expect(outcome).toBe(expected)
  if (expected.startsWith('20')) apply(walk, model, step, response.body.data)
}

type Managing = Extract<Action, { key: number }>

function outcomeOf({ isSuspended }: Walk, model: KeyModel, step: Managing): string {
  if (isSuspended) return '401 TENANT_SUSPENDED'
  if (step.type === 'put' && 'expiresAt' in step.body && step.body.expiresAt === past)
    return '422 VALIDATION_ERROR'
  if (model.isDeleted) return '404 NOT_FOUND'
  if (step.type !== 'rotate') return '200'
  return model.isActive && !model.isRotated && model.end !== 'past' ? '201' : '409 INVALID_STATE'
}

function apply(walk: Walk, model: KeyModel, step: Managing, data: { _id: string; key: string }): void {
  if (step.type === 'rotate') {
    const { end, ipWhitelist, permissions } = model
    walk.made.push(madeOf(data, { end, ipWhitelist, permissions }))
    model.isRotated = true
    model.end = step.overlapSeconds === 0 ? 'past' : 'soon'
  } else if (step.type === 'put') {
    const { isActive, expiresAt, ipWhitelist, permissions } = step.body as Record<string, never>
    if (isActive !== undefined) model.isActive = isActive
    if (expiresAt !== undefined) model.end = expiresAt === null ? 'none' : 'future'
    if (ipWhitelist !== undefined) model.ipWhitelist = ipWhitelist ?? []
    if (permissions !== undefined) model.permissions = permissions
  } else if (step.type === 'revoke') model.isActive = false
  else model.isDeleted = true
}

async function compare({ made, isSuspended }: Walk): Promise<void> {
  for (const model of made) {
    const used = await call(running.url, { path: '/api/v1/customers', token: model.text })
    const outcome = `${used.status}${used.body.code ? ` ${used.body.code}` : ''}`
    expect({ key: made.indexOf(model), outcome }).toEqual({
      key: made.indexOf(model),
      outcome: responseOf(model, isSuspended),
    })
    if (isSuspended) continue
    const { status, body } = await send('GET', `${keys}/${model._id}`)
    expect(status).toBe(model.isDeleted ? 404 : 200)
    if (model.isDeleted) continue
    const { isActive, ipWhitelist, permissions } = model
    expect(body.data).toMatchObject({ isActive, ipWhitelist, permissions })
    expect([body.data.revokedAt === null, body.data.replacedBy !== null]).toEqual([isActive, model.isRotated])
    expect(endOf(body.data.expiresAt)).toBe(model.end)
  }
}

function endOf(expiresAt: string | null): KeyModel['end'] {
  if (expiresAt === null) return 'none'
  if (expiresAt === future) return 'future'
  return Date.parse(expiresAt) > Date.now() ? 'soon' : 'past'
}

test('the response to a key depends on its own state, its end and its tenant, in that order [state.keyActivity own.keyStates]', async () => {
  await runModel<Action>({
    name: 'API key',
    action,
    async walk(actions) {
      await suspend(false)
      const body = { name: 'Model', permissions: enough }
      const walk: Walk = { made: [madeOf((await send('POST', keys, body)).body.data)], isSuspended: false }
      for (const step of actions) {
        await take(walk, step)
        await compare(walk)
      }
    },
  })
})
