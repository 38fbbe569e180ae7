import { type Operation, operations } from '@crmkit/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createTenantWorld, type TenantWorld } from '../isolation/world.ts'
import { type Call, call } from '../support/call.ts'
import type { RunningService } from '../support/start-service.ts'
import { startServiceWithCrm } from '../support/start-with-crm.ts'

let running: RunningService
let world: TenantWorld
beforeAll(async () => {
  running = await startServiceWithCrm()
  world = await createTenantWorld(running)
})
afterAll(() => running.stop())

/** One defect of a request, and its refusal when there is no other defect. */
interface Defect {
  name: string
  change: (request: Call) => Call
  refused: [status: number, code: string, rule?: string]
}

const inBody = (fields: object) => (request: Call) => ({
  ...request,
  body: { ...(request.body as object), ...fields },
})

/** In the order of contract 2. One check refuses all defects of one row. */
const defects: Defect[][] = [
  [
    {
      name: 'a version that does not exist',
      change: (request) => ({ ...request, headers: { ...request.headers, 'x-api-version': 'v2' } }),
      refused: [400, 'UNSUPPORTED_VERSION'],
    },
  ],
  [
    {
      name: 'an unknown path',
      change: (request) => ({ ...request, path: request.path.replace('inboxes', 'nothing') }),
      refused: [404, 'NOT_FOUND'],
    },
    {
      name: 'a method that the path does not take',
      change: (request) => ({ ...request, method: 'PATCH' }),
      refused: [405, 'METHOD_NOT_ALLOWED'],
    },
  ],
  [
    {
      name: 'no credential',
      change: ({ token: _token, ...request }) => request,
      refused: [401, 'AUTH_REQUIRED'],
    },
  ],
  [
    {
      name: 'a role that is too low',
      change: (request) => ({ ...request, ...(request.token && { token: world.tokens.agent }) }),
      refused: [403, 'PERMISSION_DENIED'],
    },
  ],
  [
    {
      name: 'another content type',
      change: (request) => ({ ...request, headers: { ...request.headers, 'content-type': 'text/plain' } }),
      refused: [415, 'UNSUPPORTED_MEDIA_TYPE'],
    },
    {
      name: 'broken JSON',
      change: (request) => ({ ...request, rawBody: '{' }),
      refused: [400, 'INVALID_JSON'],
    },
    {
      name: 'a body of more than 1 MB',
      change: (request) => ({ ...request, rawBody: ' '.repeat(1024 * 1024 + 1) }),
      refused: [413, 'PAYLOAD_TOO_LARGE'],
    },
  ],
  [{ name: 'a wrong type', change: inBody({ name: 7 }), refused: [422, 'VALIDATION_ERROR', 'type'] }],
  [
    {
      name: 'an unknown id',
      change: (request) => ({ ...request, path: request.path.replace(/inb_\w+/, 'inb_none') }),
      refused: [404, 'NOT_FOUND'],
    },
  ],
  [
    {
      name: 'a reference to an unknown resource',
      change: inBody({ members: ['usr_none'] }),
      refused: [422, 'VALIDATION_ERROR', 'reference'],
    },
  ],
  [
    {
      name: 'a move that the state refuses',
      change: inBody({ isDefault: false }),
      refused: [409, 'INVALID_STATE'],
    },
  ],
]

const request = (): Call => ({
  method: 'PUT',
  path: `/api/v1/inboxes/${world.inboxId}`,
  token: world.tokens.owner,
  body: { name: 'Renamed' },
})

async function refusalOf(asked: Call) {
  const { status, body } = await call(running.url, asked)
  const rule = body.details?.[0]?.rule
  return [status, body.code, ...(rule === undefined ? [] : [rule])]
}

describe('of two defects the response names the earlier one in the contract’s order', () => {
  const pairs = defects.flatMap((row, index) =>
    row.flatMap((first) =>
      defects.slice(index + 1).flatMap((later) => later.map((second) => [first, second] as const)),
    ),
  )
  it('the request without a defect succeeds, and with one defect is refused for it', async () => {
    expect((await call(running.url, request())).status).toBe(200)
    for (const { name, change, refused } of defects.flat())
      expect([name, await refusalOf(change(request()))]).toEqual([name, refused])
  })

  it.each(pairs.map(([first, second]) => [first.name, second.name, first, second] as const))(
    '%s before %s [own.order]',
    async (_first, _second, first, second) => {
      expect(await refusalOf(first.change(second.change(request())))).toEqual(first.refused)
    },
  )
})

describe('an invalid position is refused before an unknown owner of the list', () => {
  const takesPosition = ({ path, request }: Operation) =>
    path.includes('{') &&
    [request?.query, request?.body].some(
      (fields) => fields instanceof z.ZodObject && 'cursor' in fields.shape,
    )
  const since = '2026-01-01T00:00:00.000Z'
  const requests: Record<string, [without: Call, made: Partial<Call>]> = {
    'customerNotes.list': [
      { path: '/api/v1/customers/cus_none/notes' },
      { path: '/api/v1/customers/cus_none/notes?cursor=made-up' },
    ],
    'conversations.timeline': [
      { path: '/api/v1/conversations/con_none/timeline' },
      { path: '/api/v1/conversations/con_none/timeline?cursor=made-up' },
    ],
    'messages.list': [
      { path: '/api/v1/conversations/con_none/messages' },
      { path: '/api/v1/conversations/con_none/messages?cursor=made-up' },
    ],
    'drafts.list': [
      { path: '/api/v1/conversations/con_none/drafts' },
      { path: '/api/v1/conversations/con_none/drafts?cursor=made-up' },
    ],
    'widget.listMessages': [
      { path: '/api/v1/widget/conversations/con_none/messages' },
      { path: '/api/v1/widget/conversations/con_none/messages?cursor=made-up' },
    ],
    'imports.listFiles': [
      { path: '/api/extcrm/integrations/int_none/files' },
      { path: '/api/extcrm/integrations/int_none/files?cursor=made-up' },
    ],
    'imports.list': [
      { path: '/api/extcrm/integrations/int_none/imports' },
      { path: '/api/extcrm/integrations/int_none/imports?cursor=made-up' },
    ],
    'imports.listErrors': [
      { path: '/api/extcrm/integrations/int_none/imports/imp_none/errors' },
      { path: '/api/extcrm/integrations/int_none/imports/imp_none/errors?cursor=made-up' },
    ],
    'webhooks.logs': [
      { path: '/api/v1/webhooks/whk_none/logs' },
      { path: '/api/v1/webhooks/whk_none/logs?cursor=made-up' },
    ],
    'webhooks.recover': [
      { method: 'POST', path: '/api/v1/webhooks/whk_none/recover', body: { since } },
      { body: { since, cursor: 'made-up' } },
    ],
  }

  it('for every operation that accepts one', () => {
    expect(operations.filter(takesPosition).map(({ id }) => id)).toEqual(Object.keys(requests))
  })
  it.each(Object.entries(requests))('%s', async (id, [without, made]) => {
    const token = id.startsWith('widget.') ? world.visitorToken : world.tokens.owner
    expect(await refusalOf({ ...without, token })).toEqual([404, 'NOT_FOUND'])
    expect(await refusalOf({ ...without, ...made, token })).toEqual([422, 'VALIDATION_ERROR', 'cursor'])
  })
})

describe('an exhausted limit', () => {
  async function usedUpKey() {
    const body = {
      name: 'One',
      permissions: ['write:conversations'],
      rateLimit: { requests: 1, window: '1h' },
    }
    const { owner } = world.tokens
    const made = await call(running.url, { method: 'POST', path: '/api/tenant/api-keys', token: owner, body })
    const { key, _id } = made.body.data
    await call(running.url, { path: '/api/v1/nothing', token: key })
    await call(running.url, { path: '/api/v1/customers', token: key })
    return { key, revoke: `/api/tenant/api-keys/${_id}/revoke` }
  }

  it('is reported after version, route and credential, and before permission, body and the later checks [own.order]', async () => {
    const { key, revoke } = await usedUpKey()
    const path = '/api/v1/conversations'
    const post = { method: 'POST', path, token: key }
    expect(await refusalOf({ path: '/api/v1/customers', token: key })).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    expect(await refusalOf({ ...post, rawBody: '{' })).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    expect(await refusalOf({ ...post, body: { subject: 7 } })).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    expect(await refusalOf({ path: `${path}/none`, token: key })).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    expect(await refusalOf({ ...post, headers: { 'x-api-version': '2' } })).toEqual([
      400,
      'UNSUPPORTED_VERSION',
    ])
    expect(await refusalOf({ ...post, path: '/api/v1/nothing' })).toEqual([404, 'NOT_FOUND'])
    expect(await refusalOf({ ...post, method: 'PATCH' })).toEqual([405, 'METHOD_NOT_ALLOWED'])
    await call(running.url, { method: 'POST', path: revoke, token: world.tokens.owner })
    expect(await refusalOf(post)).toEqual([401, 'API_KEY_INACTIVE'])
  })
})

it('an Idempotency-Key is checked after validation, and before the work [own.order]', async () => {
  const send = (body: object, key = 'once') =>
    refusalOf({
      method: 'POST',
      path: '/api/v1/customers',
      token: world.tokens.owner,
      body,
      headers: { 'idempotency-key': key },
    })
  expect(await send({ firstName: 'Ada' })).toEqual([201, undefined])
  expect(await send({ firstName: 7 })).toEqual([422, 'VALIDATION_ERROR', 'type'])
  expect(await send({ firstName: 'Grace' })).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
})

it('an address that is not on a key’s list is refused before the permissions of the key [own.order]', async () => {
  const body = { name: 'Elsewhere', permissions: ['read:analytics'], ipWhitelist: ['192.0.2.1'] }
  const { owner } = world.tokens
  const made = await call(running.url, { method: 'POST', path: '/api/tenant/api-keys', token: owner, body })
  const response = await call(running.url, { path: '/api/v1/customers', token: made.body.data.key })
  expect([response.status, response.body.code]).toEqual([403, 'PERMISSION_DENIED'])
  expect(response.body).not.toHaveProperty('required')
})
