import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import express from 'express'
import { Hono } from 'hono'
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest'
import type { CrmEvent } from '../src/index.ts'
import { fakeClock, makeEvent, signedDelivery, signedRequest, testSecret } from '../src/testing/index.ts'
import * as expressEntry from '../src/webhooks/handlers/express.ts'
import * as honoEntry from '../src/webhooks/handlers/hono.ts'
import * as lambdaEntry from '../src/webhooks/handlers/lambda.ts'
import * as nextEntry from '../src/webhooks/handlers/next.ts'
import type { ReceiverOptions } from '../src/webhooks/handlers/receiver-options.ts'
import { memoryReplayCache } from '../src/webhooks/handlers/replay-cache.ts'
import { WebhookVerificationError } from '../src/webhooks/index.ts'

interface Sent {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}
type Send = (delivery: Sent) => Promise<{ status: number; body: string }>

async function overHttp(listener: RequestListener): Promise<Send> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return sendTo(server.address() as AddressInfo)
}

function sendTo({ port }: AddressInfo): Send {
  return async ({ body, headers }) => {
    const response = await fetch(`http://127.0.0.1:${port}/hook`, { method: 'POST', body, headers })
    return { status: response.status, body: await response.text() }
  }
}

/** Each framework as it is used: Express and Hono on real sockets, Next and Lambda as functions of what they get. */
const frameworks: [name: string, start: (options: ReceiverOptions) => Promise<Send>][] = [
  ['express', (options) => overHttp(express().post('/hook', expressEntry.handleWebhooks(options)))],
  ['a plain Node server', (options) => overHttp(expressEntry.handleWebhooks(options))],
  [
    'hono',
    async (options) => {
      const app = new Hono().post('/hook', honoEntry.handleWebhooks(options))
      return new Promise((resolve) => {
        const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (address) =>
          resolve(sendTo(address)),
        )
        onTestFinished(() => void server.close())
      })
    },
  ],
  [
    'next',
    async (options) => {
      const POST = nextEntry.handleWebhooks(options)
      return async ({ body, headers }) => {
        const response = await POST(new Request('https://app.test/hook', { method: 'POST', body, headers }))
        return { status: response.status, body: await response.text() }
      }
    },
  ],
  [
    'lambda',
    async (options) => {
      const handler = lambdaEntry.handleWebhooks(options)
      return async (delivery) => {
        const { statusCode, body } = await handler({ ...delivery, isBase64Encoded: false })
        return { status: statusCode, body }
      }
    },
  ],
]

describe.each(frameworks)('a receiver with %s', (_, start) => {
  const secrets = testSecret

  it('passes a verified event to the handler of its type and responds with 200 afterwards', async () => {
    const seen: CrmEvent[] = []
    const send = await start({ secrets, on: { 'customer.created': async (event) => void seen.push(event) } })
    const event = makeEvent('customer.created', { data: { profile: { lastName: 'Gräfin ✓' } } })
    expect(await send(await signedDelivery(event))).toEqual({ status: 200, body: 'ok' })
    expect(seen).toEqual([event])
  })

  it('responds with 400 to a changed body and runs no handler', async () => {
    const handle = vi.fn()
    const onError = vi.fn()
    const send = await start({ secrets, on: { other: handle }, onError })
    const delivery = await signedDelivery(makeEvent('customer.created'))
    expect(await send({ ...delivery, body: `${delivery.body} ` })).toEqual({ status: 400, body: 'mismatch' })
    expect(handle).not.toHaveBeenCalled()
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.any(WebhookVerificationError), {
      error: expect.any(WebhookVerificationError),
      event: undefined,
      status: 400,
    })
  })

  it('responds with 500 and reports the error when the handler throws, so that the event is sent again', async () => {
    const onError = vi.fn()
    const broken = new Error('no database')
    const send = await start({ secrets, on: { other: () => Promise.reject(broken) }, onError })
    const event = makeEvent('user.updated')
    expect(await send(await signedDelivery(event))).toEqual({ status: 500, body: 'failed' })
    expect(onError).toHaveBeenCalledExactlyOnceWith(broken, { error: broken, event, status: 500 })
  })

  it('responds with 500 when no secret is set, because the sender made no mistake', async () => {
    const onError = vi.fn()
    const send = await start({ secrets: undefined, on: {}, onError })
    expect((await send(await signedDelivery(makeEvent('user.created')))).status).toBe(500)
    expect(String(onError.mock.calls[0]?.[0])).toContain('whsec_')
  })

  it('responds with 413 to a body that is too long', async () => {
    const send = await start({ secrets, on: {}, onError: () => {}, bodyBytesMax: 1000 })
    const long = await signedDelivery(makeEvent('user.created', { data: { lastName: 'x'.repeat(100_000) } }))
    expect(await send(long)).toEqual({ status: 413, body: 'too_large' })
  })

  it('handles an event once, and again only after a failure', async () => {
    let mustFail = true
    const handle = vi.fn(() => {
      if (mustFail) throw new Error('not yet')
    })
    const options = { secrets, on: { other: handle }, onError: () => {}, replayCache: memoryReplayCache() }
    const send = await start(options)
    const delivery = await signedDelivery(makeEvent('message.sent'))
    expect((await send(delivery)).status).toBe(500)
    mustFail = false
    expect(await send(delivery)).toEqual({ status: 200, body: 'ok' })
    expect(await send(delivery)).toEqual({ status: 200, body: 'repeated' })
    expect(handle).toHaveBeenCalledTimes(2)
  })
})

const secrets = testSecret

function post(options: Parameters<typeof nextEntry.handleWebhooks>[0]) {
  const POST = nextEntry.handleWebhooks(options)
  return async (request: Request) => (await POST(request)).status
}

describe('the choice of the handler', () => {
  it('prefers the type’s own handler, then `other`; an unknown type goes to `unknown`', async () => {
    const calls: string[] = []
    const send = post({
      secrets,
      on: {
        'customer.created': () => void calls.push('own'),
        unknown: ({ eventName }) => void calls.push(eventName),
        other: ({ event }) => void calls.push(`other ${event}`),
      },
    })
    await send(await signedRequest(makeEvent('customer.created')))
    await send(await signedRequest(makeEvent('user.created')))
    await send(await signedRequest({ id: 'evt_1', event: 'robot.built' }))
    expect(calls).toEqual(['own', 'other user.created', 'robot.built'])
  })

  it('responds with 200 to an event without a handler', async () => {
    expect(await post({ secrets, on: {} })(await signedRequest(makeEvent('call.ringing')))).toBe(200)
  })

  it('runs nothing for a type that is called like a member of every object', async () => {
    const request = await signedRequest({ id: 'evt_1', event: 'constructor' })
    expect(await post({ secrets, on: {} })(request)).toBe(200)
  })

  it('gives each handler its own type of event', () => {
    nextEntry.handleWebhooks({
      secrets,
      on: {
        'conversation.closed': (event) =>
          expectTypeOf(event).toEqualTypeOf<Extract<CrmEvent, { event: 'conversation.closed' }>>(),
        other: (event) => expectTypeOf(event).toEqualTypeOf<CrmEvent>(),
      },
    })
  })
})

describe('a delivery that is not fresh', () => {
  it('is refused by the clock that the options name', async () => {
    const clock = fakeClock()
    const send = post({ secrets, on: {}, onError: () => {}, now: clock.now })
    const request = await signedRequest(makeEvent('user.created'), { now: clock.now })
    const copies = [request.clone(), request.clone(), request]
    clock.advance(300_000)
    expect(await send(copies[0]!)).toBe(200)
    clock.advance(1000)
    expect(await send(copies[1]!)).toBe(400)
    clock.set('2025-12-31T23:54:59Z')
    expect(await send(copies[2]!)).toBe(400)
  })
})

describe('a delivery that comes while its first attempt is still handled', () => {
  it('gets 503: the first attempt may still fail, and a 200 would end the retries', async () => {
    let finish = () => {}
    const running = new Promise<void>((resolve) => {
      finish = resolve
    })
    let started = () => {}
    const hasStarted = new Promise<void>((resolve) => {
      started = resolve
    })
    const handle = () => {
      started()
      return running
    }
    const POST = nextEntry.handleWebhooks({
      secrets,
      on: { other: handle },
      replayCache: memoryReplayCache(),
    })
    const request = await signedRequest(makeEvent('user.created'))
    const copies = [request.clone(), request.clone()]
    const first = POST(request)
    await hasStarted
    const second = await POST(copies[0]!)
    expect(second.status).toBe(503)
    expect(second.headers.get('retry-after')).toBe('1')
    finish()
    expect((await first).status).toBe(200)
    expect((await POST(copies[1]!)).status).toBe(200)
  })
})

it('evicts the oldest finished events beyond `size`, and never a running one', async () => {
  const cache = memoryReplayCache({ size: 2 })
  await cache.begin('running')
  for (const id of ['a', 'b', 'c']) {
    await cache.begin(id)
    await cache.succeed(id)
  }
  expect(['running', 'c', 'b', 'a'].map((id) => cache.begin(id))).toEqual(['running', 'done', 'new', 'new'])
})

it('makes options for each request when they are a function', async () => {
  const app = new Hono<{ Bindings: { SECRET: string } }>().post(
    '/hook',
    honoEntry.handleWebhooks((context) => {
      expectTypeOf(context.req.raw).toEqualTypeOf<Request>()
      return { secrets: testSecret, on: {} }
    }),
  )
  const request = await signedRequest(makeEvent('user.created'), { url: 'http://x/hook' })
  expect((await app.fetch(request, { SECRET: testSecret })).status).toBe(200)
})

it('responds with 500 when the options cannot be made or the reporter itself fails', async () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => print.mockRestore())
  const request = await signedRequest(makeEvent('user.created'))
  const noOptions = post(() => Promise.reject(new Error('no secret manager')))
  expect(await noOptions(request.clone())).toBe(500)
  const badReporter = post({
    secrets,
    on: { other: () => Promise.reject(new Error('x')) },
    onError: () => Promise.reject(new Error('no sentry')),
  })
  expect(await badReporter(request)).toBe(500)
  expect(print).toHaveBeenCalledTimes(2)
})

describe('a body that something else has consumed is reported as that, loudly', () => {
  const reported = (): { onError: ReturnType<typeof vi.fn>; options: ReceiverOptions } => {
    const onError = vi.fn()
    return { onError, options: { secrets, on: {}, onError } }
  }
  const consumed = expect.objectContaining({ code: 'body_already_parsed' })

  it('express.json() before the handler', async () => {
    const { onError, options } = reported()
    const app = express().use(express.json()).post('/hook', expressEntry.handleWebhooks(options))
    const result = await (await overHttp(app))(await signedDelivery(makeEvent('user.created')))
    expect(result).toEqual({ status: 500, body: 'body_already_parsed' })
    expect(onError).toHaveBeenCalledWith(consumed, expect.anything())
    expect(String(onError.mock.calls[0]?.[0])).toContain('express.json')
  })

  it('a Hono middleware that reads the request', async () => {
    const { onError, options } = reported()
    const app = new Hono()
      .use(async (context, next) => {
        await context.req.json()
        await next()
      })
      .post('/hook', honoEntry.handleWebhooks(options))
    const response = await app.fetch(await signedRequest(makeEvent('user.created'), { url: 'http://x/hook' }))
    expect(response.status).toBe(500)
    expect(onError).toHaveBeenCalledWith(consumed, expect.anything())
  })

  it('a route that read the Request first', async () => {
    const { onError, options } = reported()
    const request = await signedRequest(makeEvent('user.created'))
    await request.json()
    expect(await post(options)(request)).toBe(500)
    expect(onError).toHaveBeenCalledWith(consumed, expect.anything())
  })

  it('a Lambda middleware that parsed event.body', async () => {
    const { onError, options } = reported()
    const { body, headers } = await signedDelivery(makeEvent('user.created'))
    const event = { body: JSON.parse(body), headers }
    expect((await lambdaEntry.handleWebhooks(options)(event)).statusCode).toBe(500)
    expect(onError).toHaveBeenCalledWith(consumed, expect.anything())
  })
})

describe('a raw body that a middleware stored is accepted', () => {
  it.each([
    ['express.raw()', express.raw({ type: '*/*' })],
    ['express.text()', express.text({ type: '*/*' })],
    [
      'rawBody beside a parsed body',
      express.json({
        verify: (req, _res, bytes) => {
          Object.assign(req, { rawBody: bytes })
        },
      }),
    ],
  ])('%s', async (_, middleware) => {
    const app = express()
      .use(middleware)
      .post('/hook', expressEntry.handleWebhooks({ secrets, on: {} }))
    const result = await (await overHttp(app))(await signedDelivery(makeEvent('user.created')))
    expect(result.status).toBe(200)
  })
})

describe('the events of AWS', () => {
  const cases: [string, (delivery: Sent) => lambdaEntry.LambdaEvent][] = [
    [
      'API Gateway v1',
      ({ body, headers }) => ({
        resource: '/hook',
        path: '/hook',
        httpMethod: 'POST',
        headers: titleCase(headers),
        multiValueHeaders: Object.fromEntries(Object.entries(titleCase(headers)).map(([k, v]) => [k, [v]])),
        body,
        isBase64Encoded: false,
      }),
    ],
    [
      'API Gateway v1 with a binary media type',
      ({ body, headers }) => ({
        headers: titleCase(headers),
        body: Buffer.from(body).toString('base64'),
        isBase64Encoded: true,
      }),
    ],
    ['API Gateway v2', ({ body, headers }) => ({ version: '2.0', headers, body, isBase64Encoded: false })],
    [
      'a function URL, base64',
      ({ body, headers }) => ({
        version: '2.0',
        headers,
        body: Buffer.from(body).toString('base64'),
        isBase64Encoded: true,
      }),
    ],
    [
      'a load balancer with multi-value headers',
      ({ body, headers }) => ({
        multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([k, v]) => [k, [v]])),
        body,
        isBase64Encoded: false,
      }),
    ],
  ]

  it.each(cases)('%s is verified', async (_, makeLambdaEvent) => {
    const event = makeEvent('customer.created', { data: { profile: { lastName: 'Gräfin ✓' } } })
    const seen = vi.fn()
    const handler = lambdaEntry.handleWebhooks({ secrets, on: { 'customer.created': seen } })
    expect(await handler(makeLambdaEvent(await signedDelivery(event)))).toEqual({
      statusCode: 200,
      headers: { 'content-type': 'text/plain' },
      body: 'ok',
      isBase64Encoded: false,
    })
    expect(seen).toHaveBeenCalledWith(event)
  })

  it.each([[{ headers: null, body: null }], [{}], [{ headers: {}, body: '', isBase64Encoded: true }]])(
    '%j is refused without a crash',
    async (event) => {
      const handler = lambdaEntry.handleWebhooks({ secrets, on: {}, onError: () => {} })
      expect((await handler(event)).statusCode).toBe(400)
    },
  )
})

function titleCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()),
      value,
    ]),
  )
}
