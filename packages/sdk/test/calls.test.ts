import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest'
import {
  type ApiError,
  type AttemptOutcome,
  type Conversation,
  Crm,
  type CrmError,
  NotFoundError,
  type PopulatedConversation,
} from '../src/index.ts'
import { ok, refuse, resetConnection, respondWith, scriptedServer } from './support/scripted-server.ts'

const apiKey = 'sk_test_x'
const failureOf = (work: () => PromiseLike<unknown>): Promise<CrmError> =>
  Promise.resolve(work()).then(
    () => expect.fail('the call succeeded'),
    (error: CrmError) => error,
  )

describe('the error of a call', () => {
  it('names the method and the path with its ids, and never the query', async () => {
    const { baseUrl } = await scriptedServer(...Array.from({ length: 4 }, () => refuse(404, 'NOT_FOUND')))
    const crm = new Crm({ baseUrl, apiKey, maxRetries: 0 })
    const calls: [string, string, () => PromiseLike<unknown>][] = [
      ['GET', '/api/v1/customers/cus_x', () => crm.customers.get('cus_x')],
      ['GET', '/api/v1/customers', () => crm.customers.list({ search: 'ada@example.com' }).toArray()],
      ['GET', '/api/v1/attachments/att_x', () => crm.attachments.get('att_x')],
      ['DELETE', '/api/v1/robots/1', () => crm.request('DELETE', '/api/v1/robots/1')],
    ]
    for (const [method, path, work] of calls) {
      const error = await failureOf(work)
      expect(error).toBeInstanceOf(NotFoundError)
      expect(error).toMatchObject({ method, path, status: 404 })
      expect(error.message.startsWith(`${method} ${path}: `)).toBe(true)
      expect(error.message).not.toContain('ada@example.com')
    }
  })

  it('names the call when nothing could be sent, or no response came', async () => {
    const { baseUrl } = await scriptedServer(resetConnection)
    const unreachable = new Crm({ baseUrl, apiKey, maxRetries: 0 })
    expect((await failureOf(() => unreachable.customers.get('cus_x'))).message).toMatch(
      /^GET \/api\/v1\/customers\/cus_x: No response from the server \(\w+\)/,
    )
    expect((await failureOf(() => unreachable.customers.get(''))).message).toMatch(
      /^GET \/api\/v1\/customers\/\{id\}: id must be an id/,
    )
  })

  it('has a stack that begins at the line of the caller, for calls, lists and their later pages', async () => {
    const { baseUrl } = await scriptedServer(...Array.from({ length: 3 }, () => refuse(404, 'NOT_FOUND')))
    const crm = new Crm({ baseUrl, apiKey, maxRetries: 0 })
    async function lineOfTheShop() {
      await crm.customers.get('cus_x')
    }
    async function walkOfTheShop() {
      for await (const _ of crm.customers.list()) expect.fail('the list has no row')
    }
    const rawOfTheShop = () => crm.request('GET', '/api/v1/robots')
    for (const work of [lineOfTheShop, walkOfTheShop, rawOfTheShop]) {
      const [title, first] = (await failureOf(work)).stack?.split('\n') ?? []
      expect(title).toMatch(/^NotFoundError: GET /)
      expect(first).toContain(work.name)
      expect(first).toContain('calls.test.ts')
    }
  })
})

describe('an injected fetch', () => {
  it('gets an address and plain values, so that a fetch of another package works', async () => {
    const seen: [unknown, RequestInit][] = []
    const fetch = async (input: string, init: RequestInit) => {
      seen.push([input, init])
      const headers = { 'content-type': 'application/json' }
      return new Response(JSON.stringify({ success: true, data: { _id: 'x' } }), { status: 201, headers })
    }
    const crm = new Crm({ baseUrl: 'https://crm.test', apiKey, fetch })
    await crm.customers.create({ firstName: 'Ada' })
    await crm.attachments.create(new File(['moth'], 'moth.txt'))
    const [[url, json], [, form]] = seen as [[string, RequestInit], [string, RequestInit]]
    expect(url).toBe('https://crm.test/api/v1/customers')
    expect(json).toMatchObject({ method: 'POST', body: '{"firstName":"Ada"}', redirect: 'manual' })
    expect(Object.getPrototypeOf(json.headers)).toBe(Object.prototype)
    expect(json.headers).toMatchObject({
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
    })
    expect(await (form.body as Blob).text()).toContain('moth.txt')
  })
})

describe('the options of a client', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('come from CRM_BASE_URL and CRM_API_KEY, and the key goes to no other server', async () => {
    const [own, other] = await Promise.all([scriptedServer(ok({})), scriptedServer(ok({}))])
    vi.stubEnv('CRM_BASE_URL', own.baseUrl)
    vi.stubEnv('CRM_API_KEY', apiKey)
    await new Crm().customers.get('cus_1')
    await new Crm({ baseUrl: other.baseUrl }).customers.get('cus_1')
    expect(own.seen[0]?.headers['authorization']).toBe(`Bearer ${apiKey}`)
    expect(other.seen[0]?.headers['authorization']).toBeUndefined()
    vi.stubEnv('CRM_BASE_URL', '')
    expect(() => new Crm()).toThrow('baseUrl is missing')
  })

  it('refuse a baseUrl that ends with the path of the API', () => {
    for (const path of ['/api', '/api/v1', '/crm/api/v1/']) {
      expect(() => new Crm({ baseUrl: `https://crm.test${path}` })).toThrow('before /api')
    }
  })

  it('are replaced by withOptions for a client with the same server and credential', async () => {
    const { baseUrl, seen } = await scriptedServer(refuse(503, 'SERVICE_UNAVAILABLE'), ok({}))
    const crm = new Crm({ baseUrl, apiKey, headers: { 'x-shop': 'a' } })
    const once = crm.withOptions({ maxRetries: 0 })
    expect(await failureOf(() => once.customers.get('cus_1'))).toMatchObject({ status: 503 })
    await crm.customers.get('cus_1')
    for (const { headers } of seen) {
      expect(headers).toMatchObject({ authorization: `Bearer ${apiKey}`, 'x-shop': 'a' })
    }
    expect(seen).toHaveLength(2)
  })

  it('observe each attempt: onRequest may add headers, onResponse and the logger learn the outcome', async () => {
    const { baseUrl, seen } = await scriptedServer(
      refuse(503, 'SERVICE_UNAVAILABLE', { headers: { 'retry-after': '0' } }),
      respondWith(200, { success: true, data: [], pagination: {} }),
    )
    const outcomes: AttemptOutcome[] = []
    const lines: string[] = []
    const crm = new Crm({
      baseUrl,
      apiKey,
      onRequest: ({ headers }) => headers.set('x-trace', `${outcomes.length}`),
      onResponse: (outcome) => outcomes.push(outcome),
      logger: { debug: (line: string) => lines.push(line), warn: (line: string) => lines.push(line) },
    })
    await crm.customers.list({ search: 'ada@example.com' })
    expect(seen.map(({ headers }) => headers['x-trace'])).toEqual(['0', '1'])
    expect(outcomes).toMatchObject([
      { attempt: 1, status: 503, error: { code: 'SERVICE_UNAVAILABLE' } },
      { attempt: 2, status: 200, error: undefined },
    ])
    expect(lines.join('\n')).toMatch(/GET \S+\/api\/v1\/customers 503 \d+ ms/)
    expect(lines.join('\n')).not.toMatch(/ada@example\.com|sk_test/)
  })
})

it('types the customer of a conversation without a cast, the codes of errors, and the body of a raw request', () => {
  expectTypeOf<NonNullable<PopulatedConversation['customerId']>['profile']['email']>().toEqualTypeOf<
    string | null | undefined
  >()
  expectTypeOf<'NOT_FOUND'>().toExtend<ApiError['code']>()
  expectTypeOf<Crm['request']>().toBeFunction()
  const typed = (crm: Crm) => crm.request<Conversation>('GET', '/api/v1/x')
  expectTypeOf(typed).returns.resolves.toEqualTypeOf<Conversation>()
})
