import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type Express } from 'express'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeEvent, signedDelivery, testSecret } from '../../packages/sdk/src/testing/index.ts'

// NestJS itself is not installed here. Its default platform is Express: these apps have the middleware of Express in the
// order, and the raw body in the place, that the two ways of the example make.

type Receive = typeof import('./webhooks.ts')['receiveCrmEvents']
let receiveCrmEvents: Receive
let server: Server | undefined

beforeAll(async () => {
  process.env['CRM_WEBHOOK_SECRET'] = testSecret
  receiveCrmEvents = (await import('./webhooks.ts')).receiveCrmEvents
})
afterEach(() => {
  server?.close()
  server?.closeAllConnections()
})

const beforeTheParser = (): Express => {
  const app = express()
  app.use('/crm', receiveCrmEvents)
  app.use(express.json())
  return app
}

const withRawBody = (): Express => {
  const app = express()
  const keepRawBody = (req: IncomingMessage & { rawBody?: Buffer }, _res: unknown, body: Buffer) => {
    req.rawBody = body
  }
  app.use(express.json({ verify: keepRawBody }))
  app.post('/crm', (req, res) => receiveCrmEvents(req, res))
  return app
}

describe.each([
  ['before the parser of the app', beforeTheParser],
  ['in a controller with the raw body', withRawBody],
])('the receiver for NestJS, %s', (_, makeApp) => {
  it('accepts a signed event and refuses a forged one', async () => {
    const printed = vi.spyOn(console, 'log').mockReturnValue()
    vi.spyOn(console, 'error').mockReturnValue()
    const listening = makeApp().listen(0, '127.0.0.1')
    server = listening
    await new Promise((resolve) => listening.once('listening', resolve))
    const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/crm`
    const event = makeEvent('message.received', { data: { content: 'Hello?' } })
    const { body, headers } = await signedDelivery(event)
    const post = async (text: string) =>
      (await fetch(url, { method: 'POST', body: text, headers: { ...headers } })).status
    expect(await post(body.replace('Hello', 'Bye'))).toBe(400)
    expect(await post(body)).toBe(200)
    expect(printed).toHaveBeenCalledWith(expect.stringContaining(': Hello?'))
    vi.restoreAllMocks()
  })
})
