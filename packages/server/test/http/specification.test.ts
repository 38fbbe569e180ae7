import { beforeAll, describe, expect, test } from 'vitest'
import { call, createKey, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

// The endpoint tables of specification 4, row by row, as an integrator reads them: the request, and the response to
// it.

const running = useService()
let owner: Awaited<ReturnType<typeof registerTenant>>
let inboxId: string
let userId: string

const send = (method: string, path: string, body?: unknown, token: string | undefined = owner.token) =>
  call(running.url, { method, path, token, body })
/** Returns the whole body of a response that must have this status. */
const bodyOf = async (status: number, method: string, path: string, body?: unknown) => {
  const response = await send(method, path, body)
  expect([response.status, response.body.details]).toEqual([status, undefined])
  expect(response.body.success).toBe(true)
  return response.body
}
const get = async (path: string) => (await bodyOf(200, 'GET', path)).data
const post = async (path: string, body?: unknown) => (await bodyOf(201, 'POST', path, body)).data
const put = async (path: string, body: unknown) => (await bodyOf(200, 'PUT', path, body)).data
const idsOf = (rows: { _id: string }[]) => rows.map(({ _id }) => _id)
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const id = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[0-9A-Z]{26}$`))

beforeAll(async () => {
  owner = await registerTenant(running.url)
  inboxId = (await get('/api/v1/inboxes'))[0]._id
  userId = owner.user._id
})

describe('health', () => {
  test('GET /api/v1/health needs no credential [conventions health]', async () => {
    const { status, body } = await call(running.url, { path: '/api/v1/health' })
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        data: {
          status: 'ok',
          version: expect.any(String),
          schema: expect.any(Number),
          commit: null,
          uptimeSeconds: expect.any(Number),
          checks: { storage: 'ok', jobs: 'ok' },
        },
      },
    ])
  })
})

describe('API keys', () => {
  const path = '/api/tenant/api-keys'
  const settings = {
    name: 'Billing',
    permissions: ['read:customers', 'webhook:manage'],
    environment: 'staging',
    expiresAt: '2099-01-01T00:00:00.000Z',
    rotationPolicy: { enabled: true, intervalDays: 90, notifyDaysBefore: 7 },
    rateLimit: { requests: 100, window: '1 hour' },
    ipWhitelist: ['127.0.0.1', '2001:db8::/32'],
  }

  test('POST takes every field, gives the key once, and its first 8 characters as the prefix [apiKey.fields apiKeys.create apiKeys.get auth.keyForm]', async () => {
    const made = await post(path, settings)
    expect(made).toMatchObject({ _id: id('key'), tenantId: owner.tenant._id, isActive: true, ...settings })
    expect(made.key).toMatch(/^sk_test_[0-9A-Za-z]{38}$/)
    expect(made.keyPrefix).toBe(made.key.slice(0, 8))
    const { key: _key, ...record } = made
    expect(await get(`${path}/${made._id}`)).toEqual(record)
    expect(JSON.stringify((await send('GET', path)).body)).not.toContain(made.key)
  })

  test('POST demands name and permissions; the environment defaults to production [apiKeys.create auth.keyForm]', async () => {
    const empty = await send('POST', path, {})
    expect(empty.body.details).toMatchObject([
      { field: 'name', rule: 'required' },
      { field: 'permissions', rule: 'required' },
    ])
    const made = await post(path, { name: 'Plain', permissions: ['read:analytics'] })
    expect(made).toMatchObject({ environment: 'production', keyPrefix: 'sk_live_', expiresAt: null })
    expect(made).toMatchObject({ rotationPolicy: null, rateLimit: null, ipWhitelist: [] })
    for (const body of [
      { name: 'K', permissions: [] },
      { name: 'K', permissions: ['read:everything'] },
      { name: 'K', permissions: ['read:customers'], environment: 'test' },
      { name: 'K', permissions: ['read:customers'], expiresAt: '2020-01-01T00:00:00Z' },
      { name: 'K', permissions: ['read:customers'], ipWhitelist: ['nowhere'] },
      { name: 'K', permissions: ['read:customers'], key: 'sk_live_mine' },
    ])
      expect([body, (await send('POST', path, body)).status]).toEqual([body, 422])
  })

  test.each([
    ['10s', 201],
    ['5 minutes', 201],
    ['1h', 201],
    ['2 Days', 422],
    ['31 d', 201],
    ['32 d', 422],
    ['0s', 422],
    ['hour', 201],
    ['a while', 422],
  ])('a rate limit per window %j gets the status %i [limit.perKey]', async (window, status) => {
    const rateLimit = { requests: 1, window }
    expect((await send('POST', path, { name: 'K', permissions: ['read:customers'], rateLimit })).status).toBe(
      status,
    )
  })

  test('PUT changes name, permissions and activity, revoke deactivates, DELETE removes permanently [state.keyRevoked state.keyActivity apiKeys.update apiKeys.revoke apiKeys.delete]', async () => {
    const { _id, key } = await post(path, { name: 'Old', permissions: ['read:customers'] })
    const use = async () => (await send('GET', '/api/v1/customers', undefined, key)).body.code ?? 200
    expect(await use()).toBe(200)
    expect(await put(`${path}/${_id}`, { name: 'New', permissions: ['webhook:manage'] })).toMatchObject({
      name: 'New',
      permissions: ['webhook:manage'],
      isActive: true,
    })
    expect(await use()).toBe('PERMISSION_DENIED')
    expect((await bodyOf(200, 'POST', `${path}/${_id}/revoke`)).data).toMatchObject({
      isActive: false,
      revokedAt: moment,
    })
    expect(await use()).toBe('API_KEY_INACTIVE')
    expect(await put(`${path}/${_id}`, { isActive: true })).toMatchObject({ isActive: true, revokedAt: null })
    expect(await use()).toBe('PERMISSION_DENIED')
    expect(await put(`${path}/${_id}`, { isActive: false })).toMatchObject({ isActive: false })
    await bodyOf(200, 'DELETE', `${path}/${_id}`)
    expect((await send('GET', `${path}/${_id}`)).status).toBe(404)
    expect(await use()).toBe('API_KEY_INVALID')
  })

  test('an API key is refused there, whatever its permissions [apiKeys.sessionOnly auth.sessionOnly]', async () => {
    const all = ['read:conversations', 'write:conversations', 'read:customers', 'write:customers']
    const key = await createKey(running.url, owner.token, [...all, 'webhook:manage', 'read:analytics'])
    for (const [method, where] of [
      ['GET', path],
      ['POST', path],
      ['GET', `${path}/any/usage`],
    ] as const)
      expect((await send(method, where, undefined, key)).body).toMatchObject({ code: 'PERMISSION_DENIED' })
  })
})

describe('customers', () => {
  const path = '/api/v1/customers'
  const flat = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    phone: '+44 20 7946 0958',
    company: 'Analytical Engines',
  }
  const rest = {
    jobTitle: 'Countess',
    tier: 'gold',
    tags: ['vip', 'maths'],
    customFields: { plan: 'scale', seats: 3, nested: { deep: [1, null] } },
  }

  test('POST accepts flat profile fields and returns them nested, with jobTitle beside them [customer.fields customers.get customers.create]', async () => {
    const made = await post(path, { ...flat, ...rest })
    expect(made).toEqual({
      _id: id('cus'),
      tenantId: owner.tenant._id,
      profile: flat,
      ...rest,
      status: 'active',
      externalIds: [],
      blockedAt: null,
      lastContactAt: null,
      createdAt: moment,
      updatedAt: made.createdAt,
    })
    const address = { address: flat.email, since: made.createdAt, until: null, source: 'profile' }
    expect(await get(`${path}/${made._id}`)).toEqual({ ...made, addresses: [address], hasMerges: false })
  })

  test('POST needs one of the four names, and creates a bronze, active customer [customer.fields customers.create]', async () => {
    for (const field of ['firstName', 'lastName', 'email', 'phone'] as const)
      expect(await post(path, { [field]: flat[field] })).toMatchObject({
        tier: 'bronze',
        status: 'active',
        tags: [],
        customFields: {},
        jobTitle: null,
        profile: { [field]: flat[field], company: null },
      })
    for (const body of [{}, { company: 'Acme' }, { jobTitle: 'Boss', tier: 'gold' }]) {
      const refused = await send('POST', path, body)
      expect(refused.body).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ rule: 'at_least_one' }] })
    }
    for (const tier of ['bronze', 'silver', 'gold', 'platinum'])
      expect(await post(path, { firstName: 'A', tier })).toMatchObject({ tier })
    expect((await send('POST', path, { firstName: 'A', tier: 'standard' })).status).toBe(422)
    expect((await send('POST', path, { firstName: 'A', status: 'active' })).status).toBe(422)
  })

  test('PUT changes every field, allows any change of status, and keeps absent fields [state.customer customers.update]', async () => {
    const { _id } = await post(path, { firstName: 'Grace' })
    const where = `${path}/${_id}`
    expect(await put(where, { ...flat, ...rest, status: 'inactive' })).toMatchObject({
      profile: flat,
      ...rest,
      status: 'inactive',
    })
    for (const status of ['archived', 'active', 'inactive', 'active', 'archived', 'inactive', 'inactive'])
      expect(await put(where, { status })).toMatchObject({ status, profile: flat, ...rest })
    expect((await send('PUT', where, { status: 'deleted' })).body.details).toMatchObject([
      { field: 'status', rule: 'enum' },
    ])
    const { addresses, hasMerges: _, ...before } = await get(where)
    expect(addresses).toHaveLength(1)
    expect(await put(where, {})).toEqual(before)
  })

  test('GET lists by search, tier, status and tags, each alone and together [customers.list]', async () => {
    const { token } = await registerTenant(running.url)
    const make = async (body: object) => (await send('POST', path, body, token)).body.data._id as string
    const ada = await make({ ...flat, ...rest })
    const grace = await make({
      firstName: 'Grace',
      lastName: 'Hopper',
      email: 'g@navy.example',
      tags: ['vip'],
    })
    await send('PUT', `${path}/${grace}`, { status: 'archived' }, token)
    const found = async (query: string) => {
      const { body } = await send('GET', `${path}?${query}`, undefined, token)
      expect(body.pagination.total).toBe(body.data.length)
      return idsOf(body.data)
    }
    expect(await found('')).toEqual([grace, ada])
    for (const query of [
      'search=lovelace',
      'search=ADA',
      'search=ada@example',
      'search=20%207946',
      'search=engines',
    ])
      expect([query, await found(query)]).toEqual([query, [ada]])
    expect(await found('search=nobody')).toEqual([])
    expect(await found('tier=gold')).toEqual([ada])
    expect(await found('tier=bronze')).toEqual([grace])
    expect(await found('status=archived')).toEqual([grace])
    expect(await found('status=inactive')).toEqual([])
    expect(await found('tags=vip')).toEqual([grace, ada])
    for (const query of ['tags=vip,maths', 'tags=vip&tags=maths', 'tags=maths&tier=gold&search=ada'])
      expect([query, await found(query)]).toEqual([query, [ada]])
    for (const query of ['tier=iron', 'status=gone'])
      expect((await send('GET', `${path}?${query}`, undefined, token)).status).toBe(422)
  })

  test('DELETE removes the customer and its data permanently [customers.delete]', async () => {
    const { _id } = await post(path, flat)
    const talk = await post('/api/v1/conversations', { subject: 'Help', inboxId, customerId: _id })
    const { message } = await bodyOf(200, 'DELETE', `${path}/${_id}`)
    expect(message).toEqual(expect.any(String))
    for (const where of [`${path}/${_id}`, `/api/v1/conversations/${talk._id}`])
      expect((await send('GET', where)).body.code).toBe('NOT_FOUND')
    expect((await send('DELETE', `${path}/${_id}`)).status).toBe(404)
  })
})

describe('conversations', () => {
  const path = '/api/v1/conversations'

  test('POST demands subject and inboxId; the channel defaults to email and the priority to medium [conversation.fields conversations.create]', async () => {
    const empty = await send('POST', path, {})
    expect(empty.body.details).toMatchObject([
      { field: 'subject', rule: 'required' },
      { field: 'inboxId', rule: 'required' },
    ])
    const made = await post(path, { subject: 'Help', inboxId })
    expect(made).toMatchObject({
      _id: id('con'),
      subject: 'Help',
      status: 'open',
      priority: 'medium',
      channel: 'email',
      source: 'api',
      customerId: null,
      assignedTo: null,
      inboxId,
      labels: [],
      createdAt: moment,
      updatedAt: made.createdAt,
    })
    const channels = ['email', 'chat', 'phone', 'whatsapp', 'instagram', 'twitter', 'facebook', 'sms']
    for (const channel of channels)
      expect(await post(path, { subject: 'S', inboxId, channel })).toMatchObject({ channel })
    for (const priority of ['low', 'medium', 'high', 'urgent'])
      expect(await post(path, { subject: 'S', inboxId, priority })).toMatchObject({ priority })
    for (const wrong of [{ channel: 'fax' }, { priority: 'highest' }, { status: 'open' }])
      expect((await send('POST', path, { subject: 'S', inboxId, ...wrong })).status).toBe(422)
  })

  test('GET by id shows customer and assignee in full; lists and responses to changes hold ids [conversations.get conversations.update]', async () => {
    const customer = await post('/api/v1/customers', { firstName: 'Ada' })
    const made = await post(path, { subject: 'Help', inboxId, customerId: customer._id })
    const where = `${path}/${made._id}`
    expect((await get(where)).assignedTo).toBeNull()
    const changed = await put(where, { assignedTo: userId })
    expect(changed).toMatchObject({ customerId: customer._id, assignedTo: userId })
    const { firstName, lastName, email } = owner.user
    expect(await get(where)).toEqual({
      ...changed,
      customerId: customer,
      assignedTo: { _id: userId, firstName, lastName, email },
    })
    expect(await get(`${path}?customerId=${customer._id}`)).toEqual([changed])
    expect(await put(where, { assignedTo: null })).toMatchObject({ assignedTo: null })
  })

  test('GET lists by status, priority, assignee, inbox and customer [conversations.list]', async () => {
    const customer = await post('/api/v1/customers', { firstName: 'Filter' })
    const other = await post('/api/v1/inboxes', { name: 'Other' })
    const here = await post(path, { subject: 'One', inboxId: other._id, customerId: customer._id })
    const there = await post(path, { subject: 'Two', inboxId: other._id, priority: 'urgent' })
    await put(`${path}/${there._id}`, { status: 'closed', assignedTo: userId })
    const found = async (query: string) => idsOf(await get(`${path}?inboxId=${other._id}&${query}`))
    expect(await found('')).toEqual([there._id, here._id])
    expect(await found('status=open')).toEqual([here._id])
    expect(await found('status=closed')).toEqual([there._id])
    expect(await found('status=open,closed')).toEqual([there._id, here._id])
    expect(await found('priority=urgent')).toEqual([there._id])
    expect(await found(`assignedTo=${userId}`)).toEqual([there._id])
    expect(await found('assignedTo=none')).toEqual([here._id])
    expect(await found(`customerId=${customer._id}`)).toEqual([here._id])
    for (const query of ['status=new', 'priority=1'])
      expect((await send('GET', `${path}?${query}`)).status).toBe(422)
  })

  test('PUT allows any change of status, and changes subject, priority and assignee [conversation.fields state.conversation conversations.update]', async () => {
    const { _id } = await post(path, { subject: 'Help', inboxId })
    const where = `${path}/${_id}`
    const statuses = ['open', 'closed', 'pending', 'snoozed']
    for (const from of statuses)
      for (const to of statuses) {
        await put(where, { status: from })
        expect([from, (await put(where, { status: to })).status]).toEqual([from, to])
      }
    expect(await put(where, { subject: 'New', priority: 'low', assignedTo: userId })).toMatchObject({
      subject: 'New',
      priority: 'low',
      assignedTo: userId,
      status: 'snoozed',
    })
    expect((await send('PUT', where, { status: 'done' })).status).toBe(422)
  })

  test('DELETE accepts a reason, and removes the conversation with all its messages [conversations.delete]', async () => {
    const { _id } = await post(path, { subject: 'Help', inboxId })
    const message = await post(`${path}/${_id}/messages`, { content: 'Hello' })
    expect((await bodyOf(200, 'DELETE', `${path}/${_id}`, { reason: 'Spam' })).message).toEqual(
      expect.any(String),
    )
    for (const where of [`${path}/${_id}`, `${path}/${_id}/messages`, `/api/v1/messages/${message._id}`])
      expect((await send('GET', where)).status).toBe(404)
    const [entry] = await get('/api/tenant/audit-log?limit=1')
    expect(entry).toMatchObject({ action: 'conversation.deleted', target: { _id }, reason: 'Spam' })
    const another = await post(path, { subject: 'Help', inboxId })
    await bodyOf(200, 'DELETE', `${path}/${another._id}`)
  })
})

describe('webhooks', () => {
  const path = '/api/v1/webhooks'
  const body = { name: 'Orders', url: 'https://hooks.example.com/crm', events: ['customer.created'] }

  test('POST shows the secret once; retries default to 3 and exponential [webhook.fields webhooks.create webhooks.list webhooks.get limit.maxRetries]', async () => {
    const made = await post(path, { ...body, headers: { 'X-Mine': '1' } })
    expect(made).toMatchObject({
      ...body,
      _id: id('whk'),
      isActive: true,
      headers: { 'X-Mine': '••••' },
      retryPolicy: { maxRetries: 3, backoffStrategy: 'exponential' },
      createdAt: moment,
      updatedAt: moment,
    })
    expect(made.secret).toMatch(/^whsec_/)
    const { secret, ...record } = made
    expect(await get(`${path}/${made._id}`)).toEqual(record)
    const { body: listed } = await send('GET', `${path}?isActive=true`)
    expect(listed.data.webhooks).toContainEqual(record)
    expect(JSON.stringify(listed)).not.toContain(secret)
    expect((await send('GET', `${path}?isActive=false`)).body.data.webhooks).toEqual([])
  })

  test('POST demands a name of 1 to 100 characters, an HTTPS URL and events [webhooks.create delivery.https limit.webhookName]', async () => {
    const empty = await send('POST', path, {})
    expect(empty.body.details.map(({ field }: { field: string }) => field)).toEqual(['name', 'url', 'events'])
    const withName = async (name: string) => (await send('POST', path, { ...body, name })).status
    expect([await withName(''), await withName('x'), await withName('x'.repeat(100))]).toEqual([
      422, 201, 201,
    ])
    expect(await withName('x'.repeat(101))).toBe(422)
    for (const url of ['http://hooks.example.com', 'ftp://example.com', 'example.com', 'https://'])
      expect([url, (await send('POST', path, { ...body, url })).status]).toEqual([url, 422])
    for (const events of [[], ['customer.gone'], 'customer.created'])
      expect((await send('POST', path, { ...body, events })).status).toBe(422)
  })

  test('maxRetries is 0 to 10, and the strategy is linear or exponential [webhook.fields limit.maxRetries]', async () => {
    const { _id } = await post(path, body)
    for (const maxRetries of [0, 10])
      expect(await put(`${path}/${_id}`, { retryPolicy: { maxRetries } })).toMatchObject({
        retryPolicy: { maxRetries, backoffStrategy: 'exponential' },
      })
    expect(await put(`${path}/${_id}`, { retryPolicy: { backoffStrategy: 'linear' } })).toMatchObject({
      retryPolicy: { maxRetries: 10, backoffStrategy: 'linear' },
    })
    for (const retryPolicy of [
      { maxRetries: -1 },
      { maxRetries: 11 },
      { maxRetries: 1.5 },
      { backoffStrategy: 'random' },
    ])
      expect((await send('PUT', `${path}/${_id}`, { retryPolicy })).status).toBe(422)
  })

  test('PUT changes every field and keeps absent ones; DELETE removes the webhook permanently [webhooks.update webhooks.delete]', async () => {
    const { _id, secret: _secret, ...made } = await post(path, body)
    const changes = {
      name: 'New',
      url: 'https://hooks.example.com/new',
      events: ['conversation.closed', 'message.received'],
      isActive: false,
      headers: { 'X-Other': '2' },
      retryPolicy: { maxRetries: 1, backoffStrategy: 'linear' },
    }
    // Header values are write-only: responses show a mask.
    const shown = { ...changes, headers: { 'X-Other': '••••' } }
    for (const [field, value] of Object.entries(changes)) {
      const expected = shown[field as keyof typeof shown]
      expect(await put(`${path}/${_id}`, { [field]: value })).toMatchObject({ _id, [field]: expected })
    }
    expect(await get(`${path}/${_id}`)).toMatchObject({ ...shown, createdAt: made.createdAt })
    expect((await send('PUT', `${path}/${_id}`, { url: 'http://hooks.example.com' })).status).toBe(422)
    expect((await bodyOf(200, 'DELETE', `${path}/${_id}`)).message).toEqual(expect.any(String))
    expect((await send('GET', `${path}/${_id}`)).status).toBe(404)
  })

  test('POST …/test confirms with a fixed text that the event was sent; the log shows the attempt [deliveryLog.fields webhooks.test webhooks.logs delivery.logged]', async () => {
    const { _id } = await post(path, { ...body, url: 'https://127.0.0.1:1024/hook' })
    const tested = await bodyOf(200, 'POST', `${path}/${_id}/test`)
    expect(tested.message).toBe('Test event sent')
    const { data } = (await send('GET', `${path}/${_id}/logs`)).body
    expect(data).toMatchObject({ total: 1, page: 1, limit: 20, totalPages: 1 })
    expect(data.logs).toEqual([
      expect.objectContaining({
        _id: id('log'),
        webhookId: _id,
        event: 'webhook.test',
        status: 'failed',
        statusCode: null,
        attempt: 1,
        deliveredAt: moment,
        responseTime: expect.any(Number),
        error: expect.any(String),
      }),
    ])
    for (const [status, count] of [
      ['failed', 1],
      ['success', 0],
      ['pending', 0],
    ] as const)
      expect((await send('GET', `${path}/${_id}/logs?status=${status}`)).body.data.total).toBe(count)
    expect((await send('GET', `${path}/${_id}/logs?status=lost`)).status).toBe(422)
  })
})

describe('credentials', () => {
  test.each([
    ['read:conversations', 'GET', '/api/v1/conversations', 200],
    ['write:conversations', 'POST', '/api/v1/conversations', 422],
    ['read:customers', 'GET', '/api/v1/customers', 200],
    ['write:customers', 'POST', '/api/v1/customers', 422],
    ['webhook:manage', 'GET', '/api/v1/webhooks', 200],
  ])(
    '%s grants %s %s, in either header, and nothing else does [permission.*]',
    async (permission, method, path, status) => {
      const body = method === 'POST' ? {} : undefined
      const all = ['read:conversations', 'write:conversations', 'read:customers', 'write:customers']
      const others = [...all, 'webhook:manage', 'read:analytics'].filter((other) => other !== permission)
      const key = await createKey(running.url, owner.token, [permission])
      const lacking = await createKey(running.url, owner.token, others)
      expect((await send(method, path, body, key)).status).toBe(status)
      const inHeader = await call(running.url, { method, path, body, headers: { 'x-api-key': key } })
      expect(inHeader.status).toBe(status)
      const refused = await send(method, path, body, lacking)
      expect(refused.body).toMatchObject({ code: 'PERMISSION_DENIED', required: permission, granted: others })
      expect(refused.status).toBe(403)
    },
  )

  test('a session lives 15 minutes and is accepted in place of a key [auth.sessionLife auth.sessionInstead limit.sessionLife]', async () => {
    const login = { email: owner.email, password: 'correct horse battery' }
    const { data } = (await call(running.url, { method: 'POST', path: '/api/auth/login', body: login })).body
    expect(data).toMatchObject({ tokenType: 'Bearer', expiresIn: 900 })
    const claims = JSON.parse(Buffer.from(data.accessToken.split('.')[1], 'base64url').toString())
    expect(claims.exp - claims.iat).toBe(900)
    for (const path of ['conversations', 'customers', 'webhooks'])
      expect((await send('GET', `/api/v1/${path}`, undefined, data.accessToken)).status).toBe(200)
  })
})

describe('events', () => {
  test('creating or changing a user sends an event, from the first user on [event.userCreated event.userUpdated]', async () => {
    const { token, user } = await registerTenant(running.url)
    const invite = { email: 'grace@example.com', role: 'agent', firstName: 'Grace' }
    const made = (await send('POST', '/api/v1/users', invite, token)).body.data
    await send('PUT', `/api/v1/users/${made._id}`, { lastName: 'Hopper' }, token)
    const listed = async () =>
      (await send('GET', '/api/v1/events?after=earliest&types=user.created,user.updated', undefined, token))
        .body.data
    // On MongoDB an event gets its position in the log shortly after its commit.
    await expect.poll(async () => (await listed()).length).toBe(3)
    const { inviteToken: _token, ...grace } = made
    expect(await listed()).toEqual([
      {
        id: id('evt'),
        event: 'user.created',
        timestamp: moment,
        data: expect.objectContaining({ _id: user._id }),
      },
      { id: id('evt'), event: 'user.created', timestamp: moment, data: grace },
      {
        id: id('evt'),
        event: 'user.updated',
        timestamp: moment,
        data: expect.objectContaining({ _id: made._id, lastName: 'Hopper' }),
        changes: { lastName: { from: null, to: 'Hopper' } },
      },
    ])
  })
})
