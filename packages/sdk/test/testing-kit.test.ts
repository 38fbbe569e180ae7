import * as core from '@crmkit/core'
import { type Operation, operations } from '@crmkit/core'
import { setupServer } from 'msw/node'
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest'
import { Crm, type CrmEvent, NotFoundError, type Page, ServerError } from '../src/index.ts'
import { eventTypes } from '../src/resources/events.gen.ts'
import * as kit from '../src/testing/index.ts'
import { crmHandlers } from '../src/testing/msw.ts'
import { sampleReplies } from '../src/testing/sample-replies.gen.ts'
import { unwrapWebhook, verifyWebhook } from '../src/webhooks/index.ts'

const {
  fakeClock,
  fakeFetch,
  makeConversation,
  makeCustomer,
  makeCustomerDetails,
  makeEvent,
  makeFailure,
  makeListedCustomer,
} = kit

const baseUrl = 'https://crm.test'
const apiKey = 'sk_test_x'

interface Schema {
  safeParse(value: unknown): object
  meta(): { id?: string } | undefined
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && 'safeParse' in value && 'meta' in value
}

describe('the factories', () => {
  const schemas = new Map(
    (Object.values(core) as unknown[]).filter(isSchema).map((schema) => [schema.meta()?.id, schema]),
  )
  const factories = Object.entries(kit).filter(([name]) => /^make(?!Event|Failure)/.test(name))

  it.each(factories)('%s makes a value that the schema of core accepts', (name, make) => {
    const schema = schemas.get(name.slice('make'.length))
    // A schema that core does not export is checked as part of a reply, below.
    if (schema) expect(schema.safeParse((make as () => unknown)())).toMatchObject({ success: true })
  })

  it('makes fresh ids and applies overrides at any depth', () => {
    const customer = makeCustomer({ profile: { email: 'grace@example.com', phone: null }, tags: ['vip'] })
    expect(customer._id).not.toBe(makeCustomer()._id)
    expect(customer).toMatchObject({
      profile: { firstName: 'Ada', email: 'grace@example.com', phone: null },
      tags: ['vip'],
    })
    expect(makeConversation({ labels: [] }).labels).toEqual([])
    // @ts-expect-error a typo must not compile
    makeCustomer({ profile: { emial: 'x' } })
  })
})

describe('makeEvent', () => {
  it.each(eventTypes)('makes a %s that verifies and is known', async (type) => {
    const event = makeEvent(type)
    const request = await kit.signedRequest(event)
    expect(await unwrapWebhook(request, { secrets: kit.testSecret })).toEqual(event)
  })

  it('makes conversation events as the service does, with the customer in place of its id', () => {
    const { data } = makeEvent('conversation.created', { data: { subject: 'Hi' } })
    expect(data.subject).toBe('Hi')
    expect(data.customerId?.profile.firstName).toBe('Ada')
    expectTypeOf(makeEvent('customer.created')).toEqualTypeOf<
      Extract<CrmEvent, { event: 'customer.created' }>
    >()
  })
})

describe('a signed delivery', () => {
  it('during a rotation is signed with both secrets, as the service signs it', async () => {
    const other = 'whsec_b3RoZXIgc2VjcmV0'
    const event = makeEvent('user.created')
    const delivery = await kit.signedDelivery(event, { secret: [kit.testSecret, other] })
    for (const secrets of [kit.testSecret, other]) {
      expect((await verifyWebhook(delivery, { secrets })).id).toBe(event.id)
      const {
        'webhook-id': _,
        'webhook-signature': __,
        'webhook-timestamp': ___,
        ...plain
      } = delivery.headers
      const undated = { body: delivery.body, headers: plain }
      expect((await verifyWebhook(undated, { secrets, allowUndated: true })).verified).toBe('body')
    }
  })

  it('is as old as its clock says', async () => {
    const clock = fakeClock('2026-05-01T12:00:00Z')
    const delivery = await kit.signedDelivery(makeEvent('user.created'), { now: clock.now })
    const options = { secrets: kit.testSecret, now: clock.now }
    clock.advance(301_000)
    await expect(verifyWebhook(delivery, options)).rejects.toMatchObject({ code: 'too_old' })
    clock.set('2026-05-01T12:05:00Z')
    expect((await verifyWebhook(delivery, options)).timestamp).toBe(Date.UTC(2026, 4, 1, 12) / 1000)
    expect(() => clock.set('noon')).toThrow(TypeError)
  })
})

/** Calls every operation of the contract with made-up parameters. */
async function callEvery(crm: Crm): Promise<void> {
  for (const operation of operations as readonly Operation[]) {
    const [area = '', name = ''] = operation.id.split('.')
    if (!(operation.id in sampleReplies)) continue
    const resource = Reflect.get(crm, area)
    const params = [...operation.path.matchAll(/\{/g)].map(() => 'an id')
    const body = operation.request?.body ? [{}] : []
    const result = await Reflect.apply(Reflect.get(resource, name), resource, [...params, ...body])
    expect(result, operation.id).toBeDefined()
  }
}

/** The replies as they went over the wire, checked by the contract's own schemas. */
function checkedFetch(
  inner: (input: string, init: RequestInit) => Promise<Response>,
): (input: string, init: RequestInit) => Promise<Response> {
  const paths = (operations as readonly Operation[])
    .map((operation) => ({
      operation,
      pattern: new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`),
    }))
    .sort((a, b) => a.operation.path.split('{').length - b.operation.path.split('{').length)
  return async (input, init) => {
    const response = await inner(input, init)
    const { pathname } = new URL(input)
    const found = paths.find(
      ({ operation, pattern }) => operation.method === init.method && pattern.test(pathname),
    )
    const { id, status, response: schema } = found?.operation ?? expect.fail(`no operation at ${pathname}`)
    expect(response.status, id).toBe(status)
    const parsed = schema.safeParse(await response.clone().json())
    expect(parsed.error?.message, id).toBeUndefined()
    return response
  }
}

describe('fakeFetch', () => {
  it('returns a valid reply for every operation', async () => {
    await callEvery(new Crm({ baseUrl, apiKey, fetch: checkedFetch(fakeFetch()) }))
  })

  it('returns the given reply, also from a function of the call', async () => {
    const fetch = fakeFetch({
      'customers.get': ({ params }) => makeCustomerDetails({ _id: params['id'] }),
      'customers.list': [makeListedCustomer(), makeListedCustomer()],
      'customers.create': ({ body }) => makeCustomer({ profile: body as { firstName: string } }),
    })
    const crm = new Crm({ baseUrl: `${baseUrl}/crm`, apiKey, fetch })
    expect((await crm.customers.get('cus/7'))._id).toBe('cus/7')
    expect(await crm.customers.list().toArray()).toHaveLength(2)
    expect((await crm.customers.create({ firstName: 'Grace' })).profile.firstName).toBe('Grace')
    expectTypeOf(crm.customers.list).returns.resolves.toExtend<Page<unknown>>()
  })

  it('returns failures as the service does', async () => {
    const fetch = fakeFetch({
      'customers.get': () => makeFailure(404),
      'customers.delete': () => makeFailure(503, { retryAfter: 120 }),
    })
    const crm = new Crm({ baseUrl, apiKey, fetch })
    await expect(crm.customers.get('a')).rejects.toBeInstanceOf(NotFoundError)
    const error = await crm.customers.delete('a').catch((e) => e)
    expect(error).toBeInstanceOf(ServerError)
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterMs: 120_000 })
    await expect(crm.request('GET', '/api/v9/robots')).rejects.toThrow('/api/v9/robots')
  })
})

describe('crmHandlers', () => {
  function withMsw(options: Parameters<typeof crmHandlers>[0]): Crm {
    const server = setupServer(...crmHandlers(options))
    server.listen({ onUnhandledFrame: 'error' })
    onTestFinished(() => server.close())
    return new Crm({ baseUrl, apiKey })
  }

  it('returns a valid reply for every operation', async () => {
    const server = setupServer(...crmHandlers({ baseUrl: `${baseUrl}/` }))
    server.listen({ onUnhandledFrame: 'error' })
    onTestFinished(() => server.close())
    await callEvery(new Crm({ baseUrl, apiKey, fetch: checkedFetch((input, init) => fetch(input, init)) }))
  })

  it('returns the given reply', async () => {
    const crm = withMsw({
      baseUrl,
      replies: {
        'users.me': kit.makeOwnUser({ firstName: 'Me' }),
        'users.get': ({ params }) => kit.makeUser({ _id: params['id'] }),
        'conversations.get': () => makeFailure(404),
      },
    })
    expect((await crm.users.me()).firstName).toBe('Me')
    expect((await crm.users.get('usr 1'))._id).toBe('usr 1')
    await expect(crm.conversations.get('a')).rejects.toBeInstanceOf(NotFoundError)
  })
})
