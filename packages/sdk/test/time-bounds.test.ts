import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { AbortedError, Crm, CrmError, TimeoutError } from '../src/index.ts'
import { neverRespond, ok, scriptedServer, stallAfterHeaders } from './support/scripted-server.ts'

const apiKey = 'sk_live_secret'

async function failureOf(call: PromiseLike<unknown>): Promise<{ error: CrmError; tookMs: number }> {
  const startedAt = performance.now()
  try {
    await call
  } catch (error) {
    if (error instanceof CrmError) return { error, tookMs: performance.now() - startedAt }
    throw error
  }
  throw new Error('The call did not fail')
}

it.each([
  ['stalls after its headers', stallAfterHeaders],
  ['never comes', neverRespond],
])('ends a response that %s at the timeout', async (_, behaviour) => {
  const { baseUrl, seen } = await scriptedServer(behaviour)
  const crm = new Crm({ baseUrl, apiKey, timeout: 200, maxRetries: 0 })
  const { error, tookMs } = await failureOf(crm.customers.get('cus_1'))
  expect(error).toBeInstanceOf(TimeoutError)
  expect(error).toMatchObject({ scope: 'attempt', limitMs: 200 })
  expect(tookMs).toBeGreaterThanOrEqual(195)
  expect(tookMs).toBeLessThan(8_000)
  expect(seen).toHaveLength(1)
})

it('bounds all attempts together by the deadline', async () => {
  const { baseUrl } = await scriptedServer(stallAfterHeaders)
  const crm = new Crm({ baseUrl, apiKey, timeout: 10_000, deadline: 250, maxRetries: 5 })
  const { error, tookMs } = await failureOf(crm.customers.get('cus_1'))
  expect(error).toMatchObject({ name: 'TimeoutError', scope: 'deadline', limitMs: 250 })
  expect(tookMs).toBeLessThan(8_000)
})

it('ends at the timeout even when an injected fetch ignores its signal', async () => {
  const crm = new Crm({
    baseUrl: 'http://crm.invalid',
    apiKey,
    timeout: 100,
    maxRetries: 0,
    fetch: () => new Promise(() => {}),
  })
  const { error } = await failureOf(crm.customers.get('cus_1'))
  expect(error).toBeInstanceOf(TimeoutError)
})

it('ends while the body is read when the caller aborts, with the reason as the cause', async () => {
  const { baseUrl } = await scriptedServer(stallAfterHeaders)
  const controller = new AbortController()
  const fetchThenAbort: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    // The headers are there and the body is being read by then.
    setImmediate(() => controller.abort('the user left'))
    return response
  }
  const { error, tookMs } = await failureOf(
    new Crm({ baseUrl, apiKey, fetch: fetchThenAbort }).customers.get('cus_1', { signal: controller.signal }),
  )
  expect(error).toBeInstanceOf(AbortedError)
  expect(error.cause).toBe('the user left')
  expect(tookMs).toBeLessThan(8_000)
})

it('sends nothing when the signal is aborted before', async () => {
  const { baseUrl, seen } = await scriptedServer(ok({}))
  const { error } = await failureOf(
    new Crm({ baseUrl, apiKey }).customers.create({ firstName: 'Ada' }, { signal: AbortSignal.abort() }),
  )
  expect(error).toBeInstanceOf(AbortedError)
  expect(seen).toHaveLength(0)
})

it('leaves no listener on a signal that outlives 3,000 calls', async () => {
  const { signal } = new AbortController()
  const fetch = async () => new Response('{"success":true,"data":{}}')
  const crm = new Crm({ baseUrl: 'http://crm.invalid', apiKey, fetch })
  for (let i = 0; i < 3000; i++) await crm.customers.get('cus_1', { signal })
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

it.each([{ timeout: 0 }, { timeout: Number.NaN }, { deadline: -1 }, { maxRetries: 1.5 }, { maxRetries: -1 }])(
  'refuses %o',
  (limits) => {
    expect(() => new Crm({ baseUrl: 'http://crm.invalid', ...limits })).toThrow(CrmError)
  },
)
