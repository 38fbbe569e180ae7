import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { type CallResponse, call, registerTenant } from '../support/call.ts'
import {
  makeCertificate,
  startReceiver,
  type TestCertificate,
  type TestReceiver,
} from '../support/https-receiver.ts'
import { type RunningService, startService } from '../support/start-service.ts'

const mask = '••••'
const reads = ['read:customers', 'read:conversations']
const authorization = 'Bearer ERP-SECRET'

let service: RunningService
let certificate: TestCertificate
const receivers: TestReceiver[] = []

beforeAll(async () => {
  certificate = await makeCertificate()
  service = await startService({ CRM_WEBHOOK_CA_FILE: certificate.caFile })
})
afterAll(async () => {
  await service.stop()
  for (const receiver of receivers) await receiver.close()
  certificate.remove()
})

async function openReceiver(): Promise<TestReceiver> {
  const receiver = await startReceiver(certificate)
  receivers.push(receiver)
  return receiver
}

type Send = (method: string, path: string, body?: object) => Promise<CallResponse>

const sender =
  (token: string): Send =>
  (method, path, body) =>
    call(service.url, { method, path, token, body })

async function open() {
  const { token, tenant } = await registerTenant(service.url)
  const owner = sender(token)
  const newKey = async (permissions: string[]) => {
    const { body } = await owner('POST', '/api/tenant/api-keys', { name: 'Key', permissions })
    return { id: body.data._id as string, send: sender(body.data.key) }
  }
  const webhook = async (id: string) => (await owner('GET', `/api/v1/webhooks/${id}`)).body.data
  const auditOf = async (id: string) => {
    const { data } = (await owner('GET', '/api/tenant/audit-log?limit=100')).body
    return data.filter((entry: { target: { _id: string } }) => entry.target._id === id)
  }
  return { owner, tenantId: tenant._id, newKey, webhook, auditOf }
}

const settings = { name: 'ERP', url: 'https://erp.example.com/hook', events: ['customer.created'] }

async function newWebhook(send: Send, own: object = {}): Promise<string> {
  const { status, body } = await send('POST', '/api/v1/webhooks', { ...settings, ...own })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data._id
}

test('a key with webhook:manage alone gets neither the data of a webhook nor its header values', async () => {
  const { owner, newKey } = await open()
  const [erp, thief] = [await openReceiver(), await openReceiver()]
  const id = await newWebhook(owner, { url: erp.url, headers: { Authorization: authorization } })
  const path = `/api/v1/webhooks/${id}`
  const manager = await newKey(['webhook:manage'])
  expect((await manager.send('GET', '/api/v1/customers')).status).toBe(403)
  for (const read of [path, '/api/v1/webhooks']) {
    const { status, body } = await manager.send('GET', read)
    expect(status).toBe(200)
    expect(JSON.stringify(body)).not.toContain('ERP-SECRET')
  }
  expect(await manager.send('PUT', path, { url: thief.url })).toMatchObject({
    status: 403,
    body: { code: 'PERMISSION_DENIED', required: 'read:customers', granted: ['webhook:manage'] },
  })
  // A caller who may read the data can change the webhook's URL, without the credential of the old receiver.
  expect((await owner('PUT', path, { url: thief.url })).status).toBe(200)
  await owner('POST', '/api/v1/customers', { firstName: 'Ada', email: 'victim@example.com' })
  const [request] = await thief.waitFor(1)
  expect(request?.body).toContain('victim@example.com')
  expect(request?.headers.authorization).toBeUndefined()
  expect(erp.requests).toHaveLength(0)
})

describe('a header value of a webhook', () => {
  test('is masked in every response that shows the webhook', async () => {
    const { owner } = await open()
    const created = await owner('POST', '/api/v1/webhooks', {
      ...settings,
      headers: { Authorization: authorization, 'X-Team': 'blue' },
    })
    const path = `/api/v1/webhooks/${created.body.data._id}`
    const responses = [
      created,
      await owner('GET', path),
      await owner('PUT', path, { name: 'Renamed' }),
      await owner('PUT', path, { headers: { Authorization: authorization, 'X-Team': 'red' } }),
      await owner('POST', `${path}/rotate-secret`, {}),
    ]
    const masked = { Authorization: mask, 'X-Team': mask }
    for (const { body } of responses) expect(body.data.headers).toEqual(masked)
    const { webhooks } = (await owner('GET', '/api/v1/webhooks')).body.data
    expect(webhooks).toMatchObject([{ headers: masked }])
  })

  test('is kept by its mask, in any spelling of the name, and replaced by any other value', async () => {
    const { owner } = await open()
    const receiver = await openReceiver()
    const headers = { Authorization: authorization, 'X-Team': 'blue', 'X-Old': 'old' }
    const id = await newWebhook(owner, { url: receiver.url, headers })
    const path = `/api/v1/webhooks/${id}`
    const { body } = await owner('PUT', path, { headers: { authorization: mask, 'X-Team': 'red' } })
    expect(body.data.headers).toEqual({ authorization: mask, 'X-Team': mask })
    await owner('POST', `${path}/test`)
    const [request] = await receiver.waitFor(1)
    expect(request?.headers).toMatchObject({ authorization, 'x-team': 'red' })
    expect(request?.headers).not.toHaveProperty('x-old')
  })

  test('is never equal to the mask: a mask without a stored value is refused at create and at update', async () => {
    const { owner } = await open()
    const id = await newWebhook(owner, { headers: { 'X-Team': 'blue' } })
    const headers = { 'X-Team': mask, 'X-New': mask }
    const refused = { details: [{ field: 'headers.X-New', rule: 'masked', in: 'body' }] }
    const update = await owner('PUT', `/api/v1/webhooks/${id}`, { headers })
    expect(update).toMatchObject({ status: 422, body: refused })
    const create = await owner('POST', '/api/v1/webhooks', { ...settings, headers })
    expect(create).toMatchObject({ status: 422 })
    expect(create.body.details).toHaveLength(2)
  })

  test('does not increase the stored headers beyond the limit of a webhook', async () => {
    const { owner } = await open()
    const id = await newWebhook(owner, { headers: { 'X-Long': 'v'.repeat(4000) } })
    const headers = { 'X-Long': mask, 'X-Other': 'v'.repeat(200) }
    expect(await owner('PUT', `/api/v1/webhooks/${id}`, { headers })).toMatchObject({
      status: 422,
      body: { details: [{ field: 'headers', rule: 'max_bytes' }] },
    })
  })

  test('is dropped when the origin of the URL changes, and stays when only the path does', async () => {
    const { owner, webhook, auditOf } = await open()
    const id = await newWebhook(owner, { headers: { Authorization: authorization } })
    const path = `/api/v1/webhooks/${id}`
    await owner('PUT', path, { url: 'https://erp.example.com/other' })
    expect((await webhook(id)).headers).toEqual({ Authorization: mask })
    const url = 'https://other.example.com/hook'
    expect(await owner('PUT', path, { url, headers: { Authorization: mask } })).toMatchObject({
      status: 422,
      body: { details: [{ field: 'headers.Authorization', rule: 'origin', in: 'body' }] },
    })
    await owner('PUT', path, { url })
    expect((await webhook(id)).headers).toEqual({})
    const [{ changed }] = await auditOf(id)
    expect(changed.toSorted()).toEqual(['headers', 'url'])
    const back = { url: settings.url, headers: { Authorization: 'Bearer new' } }
    await owner('PUT', path, back)
    expect((await webhook(id)).headers).toEqual({ Authorization: mask })
  })
})

describe('one delivery attempt', () => {
  async function delivered() {
    const opened = await open()
    const receiver = await openReceiver()
    const id = await newWebhook(opened.owner, {
      url: receiver.url,
      headers: { Authorization: authorization },
    })
    const customer = await opened.owner('POST', '/api/v1/customers', { firstName: 'Ada' })
    const [received] = await receiver.waitFor(1)
    const path = `/api/v1/webhooks/${id}/logs`
    const logs = async () => (await opened.owner('GET', path)).body.data.logs
    await expect.poll(async () => (await logs())[0]?.status).toBe('success')
    const [{ _id }] = await logs()
    return {
      ...opened,
      id,
      receiver,
      received,
      logs,
      path: `${path}/${_id}`,
      customerId: customer.body.data._id,
    }
  }

  test('shows its request and the body of the event, without secrets and without the response', async () => {
    const { owner, path, received, receiver } = await delivered()
    const { status, body } = await owner('GET', path)
    expect(status).toBe(200)
    const { request, body: event } = body.data
    expect(event).toEqual(JSON.parse(received?.body ?? ''))
    expect(request).toMatchObject({ method: 'POST', url: receiver.url })
    expect(request.headers.Authorization).toBe(mask)
    expect(JSON.stringify(body)).not.toContain('ERP-SECRET')
    // Each header of the request is there; the service knows all values but those of the moment.
    const sent: Record<string, string> = {}
    for (const [name, value] of Object.entries(received?.headers ?? {})) sent[name] = String(value)
    const ofConnection = ['host', 'connection', 'content-length', 'transfer-encoding']
    const shown = Object.entries<string>(request.headers).map(([name, value]) => [name.toLowerCase(), value])
    expect(shown.map(([name]) => name).toSorted()).toEqual(
      Object.keys(sent)
        .filter((name) => !ofConnection.includes(name))
        .toSorted(),
    )
    for (const [name = '', value] of shown)
      if (value !== mask) expect([name, value]).toEqual([name, sent[name]])
    const masked = shown.filter(([, value]) => value === mask).map(([name]) => name)
    expect(masked.toSorted()).toEqual([
      'authorization',
      'webhook-signature',
      'webhook-timestamp',
      'x-webhook-signature',
      'x-webhook-timestamp',
    ])
  })

  test('shows no body to a caller who may not read the event, and the request still', async () => {
    const { newKey, path } = await delivered()
    for (const permissions of [['webhook:manage'], ['webhook:manage', 'read:conversations']]) {
      const { send } = await newKey(permissions)
      expect((await send('GET', path)).body.data).toMatchObject({ body: null, request: { method: 'POST' } })
    }
    const { send } = await newKey(['webhook:manage', 'read:customers'])
    expect((await send('GET', path)).body.data.body).toMatchObject({ event: 'customer.created' })
    const other = await open()
    expect((await other.owner('GET', path)).status).toBe(404)
  })

  test('shows that the event was erased, from the moment of the erasure on', async () => {
    const { owner, path, customerId } = await delivered()
    expect((await owner('DELETE', `/api/v1/customers/${customerId}`)).status).toBe(200)
    expect((await owner('GET', path)).body.data.body).toEqual({ erased: true })
  })

  test('has no request before it is made, and a test has no stored event', async () => {
    const { owner, id, path, logs, receiver } = await delivered()
    await owner('POST', `/api/v1/webhooks/${id}/test`)
    const test = (await logs()).find(({ event }: { event: string }) => event === 'webhook.test')
    const shown = await owner('GET', `/api/v1/webhooks/${id}/logs/${test._id}`)
    expect(shown.body.data).toMatchObject({ body: null, request: { url: receiver.url } })
    await receiver.close()
    const { body } = await owner('POST', `${path}/redeliver`)
    const planned = await owner('GET', `/api/v1/webhooks/${id}/logs/${body.data._id}`)
    const { status, request } = planned.body.data
    // The attempt may have been made meanwhile.
    expect(request === null).toBe(status === 'pending')
  })
})

describe('a subscription to data', () => {
  const denied = (required: string, granted: string[]) => ({
    status: 403,
    body: { code: 'PERMISSION_DENIED', required, granted },
  })

  test('needs the permission to read that data, at create and at each change that subscribes to more data', async () => {
    const { owner, newKey } = await open()
    const both = 'read:conversations and read:customers'
    for (const { events, permissions, required } of [
      { events: ['customer.created'], permissions: ['webhook:manage'], required: 'read:customers' },
      { events: ['message.sent'], permissions: ['webhook:manage'], required: both },
      { events: ['call.failed'], permissions: ['webhook:manage'], required: both },
      { events: ['message.sent'], permissions: ['webhook:manage', 'read:customers'], required: both },
    ]) {
      const { send } = await newKey(permissions)
      const create = await send('POST', '/api/v1/webhooks', { ...settings, events })
      expect(create).toMatchObject(denied(required, permissions))
      const own = await newWebhook(send, { events: ['user.created'] })
      const update = await send('PUT', `/api/v1/webhooks/${own}`, { events })
      expect(update).toMatchObject(denied(required, permissions))
      const theirs = await newWebhook(owner, { events })
      for (const body of [{ url: 'https://erp.example.com/new' }, { events: [...events, 'user.updated'] }]) {
        expect(await send('PUT', `/api/v1/webhooks/${theirs}`, body)).toMatchObject({ status: 403 })
      }
      await owner('PUT', `/api/v1/webhooks/${theirs}`, { isActive: false })
      const activation = await send('PUT', `/api/v1/webhooks/${theirs}`, { isActive: true })
      expect(activation).toMatchObject(denied(required, permissions))
    }
  })

  test('is allowed for a key with the permissions and for an admin', async () => {
    const { tenantId, newKey } = await open()
    const events = ['customer.created', 'message.sent', 'user.created']
    const admin = await addColleague({ service: service.service }, { tenantId, role: 'admin' })
    for (const { send } of [await newKey(['webhook:manage', ...reads]), { send: sender(admin.token) }]) {
      const id = await newWebhook(send, { events })
      const update = { url: 'https://erp.example.com/new', events: ['message.received'] }
      expect((await send('PUT', `/api/v1/webhooks/${id}`, update)).status).toBe(200)
    }
  })

  test('can be renamed, deactivated, tested and deleted with webhook:manage alone', async () => {
    const { owner, newKey } = await open()
    const { send } = await newKey(['webhook:manage'])
    const path = `/api/v1/webhooks/${await newWebhook(owner)}`
    const { name, url, events } = settings
    expect((await send('PUT', path, { name: `${name} 2`, url, events, isActive: true })).status).toBe(200)
    expect((await send('PUT', path, { isActive: false })).status).toBe(200)
    expect((await send('DELETE', path)).status).toBe(200)
  })
})

describe('a webhook whose owner loses the permission', () => {
  const withdrawn = { isActive: false, health: { state: 'disabled', disabledReason: 'permission' } }
  const active = { isActive: true, health: { disabledReason: null } }

  test.each([
    ['is revoked', 'POST', '/revoke', undefined],
    ['is deleted', 'DELETE', '', undefined],
    ['is deactivated', 'PUT', '', { isActive: false }],
    ['loses read:customers', 'PUT', '', { permissions: ['webhook:manage', 'read:conversations'] }],
  ])('is deactivated with an audit entry when its key %s', async (_title, method, suffix, body) => {
    const { owner, newKey, webhook, auditOf } = await open()
    const key = await newKey(['webhook:manage', ...reads])
    const [own, theirs] = [await newWebhook(key.send), await newWebhook(owner)]
    expect((await owner(method, `/api/tenant/api-keys/${key.id}${suffix}`, body)).status).toBe(200)
    expect(await webhook(own)).toMatchObject(withdrawn)
    expect(await webhook(theirs)).toMatchObject(active)
    const [entry] = await auditOf(own)
    expect(entry).toMatchObject({ action: 'webhook.deactivated', changed: ['isActive'] })
    expect(entry.reason).toMatch(/permission/)
  })

  test('stays active when the key keeps the permissions for its events', async () => {
    const { owner, newKey, webhook } = await open()
    const key = await newKey(['webhook:manage', ...reads])
    const id = await newWebhook(key.send)
    const path = `/api/tenant/api-keys/${key.id}`
    await owner('PUT', path, { permissions: ['read:customers'], name: 'Less' })
    expect(await webhook(id)).toMatchObject(active)
    await owner('PUT', path, { permissions: ['read:conversations'] })
    expect(await webhook(id)).toMatchObject(withdrawn)
  })

  test.each([
    ['is demoted', 'PUT', { role: 'viewer' }, { customers: active, users: withdrawn }],
    ['is deactivated', 'PUT', { isActive: false }, { customers: withdrawn, users: withdrawn }],
    ['is deleted', 'DELETE', undefined, { customers: withdrawn, users: withdrawn }],
  ])('is deactivated when its user %s', async (_title, method, body, expected) => {
    const { owner, tenantId, webhook } = await open()
    const admin = await addColleague({ service: service.service }, { tenantId, role: 'admin' })
    const customers = await newWebhook(sender(admin.token))
    const users = await newWebhook(sender(admin.token), { events: ['user.created'] })
    expect((await owner(method, `/api/v1/users/${admin.userId}`, body)).status).toBe(200)
    expect(await webhook(customers)).toMatchObject(expected.customers)
    expect(await webhook(users)).toMatchObject(expected.users)
  })

  test('stays with the successor of a rotated key', async () => {
    const { owner, newKey, webhook } = await open()
    const key = await newKey(['webhook:manage', ...reads])
    const id = await newWebhook(key.send)
    const path = '/api/tenant/api-keys'
    const successor = (await owner('POST', `${path}/${key.id}/rotate`, { overlapSeconds: 0 })).body.data
    await owner('DELETE', `${path}/${key.id}`)
    expect(await webhook(id)).toMatchObject(active)
    await owner('POST', `${path}/${successor._id}/revoke`)
    expect(await webhook(id)).toMatchObject(withdrawn)
  })

  test('belongs to the admin who activates it, and to the credential that changed its events last', async () => {
    const { owner, newKey, webhook } = await open()
    const [first, second] = [
      await newKey(['webhook:manage', ...reads]),
      await newKey(['webhook:manage', ...reads]),
    ]
    const [adopted, inTime, changed] = [
      await newWebhook(first.send),
      await newWebhook(first.send),
      await newWebhook(first.send),
    ]
    await owner('PUT', `/api/v1/webhooks/${inTime}`, { isActive: true })
    await second.send('PUT', `/api/v1/webhooks/${changed}`, { events: ['message.sent'] })
    await owner('POST', `/api/tenant/api-keys/${first.id}/revoke`)
    expect(await webhook(adopted)).toMatchObject(withdrawn)
    expect(await webhook(inTime)).toMatchObject(active)
    expect(await webhook(changed)).toMatchObject(active)
    await owner('PUT', `/api/v1/webhooks/${adopted}`, { isActive: true })
    await owner('DELETE', `/api/tenant/api-keys/${first.id}`)
    expect(await webhook(adopted)).toMatchObject(active)
    await owner('DELETE', `/api/tenant/api-keys/${second.id}`)
    expect(await webhook(changed)).toMatchObject(withdrawn)
  })

  test('can replay the events since its deactivation once it is active again', async () => {
    const { owner, newKey, webhook } = await open()
    const receiver = await openReceiver()
    const key = await newKey(['webhook:manage', ...reads])
    const id = await newWebhook(key.send, { url: receiver.url })
    await owner('POST', `/api/tenant/api-keys/${key.id}/revoke`)
    await owner('POST', '/api/v1/customers', { firstName: 'Ada', email: 'meantime@example.com' })
    await owner('PUT', `/api/v1/webhooks/${id}`, { isActive: true })
    expect(receiver.requests).toHaveLength(0)
    const since = (await webhook(id)).createdAt
    const recovered = await owner('POST', `/api/v1/webhooks/${id}/recover`, { since })
    expect(recovered.body.data).toMatchObject({ created: 1 })
    const [request] = await receiver.waitFor(1)
    expect(request?.body).toContain('meantime@example.com')
  })

  test('is never left active by a simultaneous revocation', async () => {
    const { owner, newKey, webhook } = await open()
    for (let round = 0; round < 8; round++) {
      const key = await newKey(['webhook:manage', ...reads])
      const [created] = await Promise.all([
        key.send('POST', '/api/v1/webhooks', settings),
        owner('POST', `/api/tenant/api-keys/${key.id}/revoke`),
      ])
      if (created.status === 201) expect(await webhook(created.body.data._id)).toMatchObject(withdrawn)
      else expect([401, 403]).toContain(created.status)
    }
  })
})
