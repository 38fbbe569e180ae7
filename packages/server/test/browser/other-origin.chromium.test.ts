import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { type RunningService, startService } from '../support/start-service.ts'

let page: { origin: string; close(): void }
let service: RunningService
let browser: Browser
beforeAll(async () => {
  page = await serveClient()
  service = await startService({ CRM_CORS_ORIGINS: page.origin, CRM_RATE_LIMITS: 'on' })
  const executablePath = process.env['CRM_TEST_CHROMIUM'] ?? ''
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
})
afterAll(async () => {
  await browser.close()
  await service.stop()
  page.close()
})

/** A page that has the client in `crm`, bundled as an app would do it, on an origin of its own. */
async function serveClient() {
  const { outputFiles } = await build({
    stdin: {
      contents: "export * from '@crmkit/sdk'",
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    conditions: ['@crmkit/source'],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'crmkit',
    platform: 'browser',
  })
  const script = outputFiles[0]?.text ?? ''
  const html = '<!doctype html><title>An app</title><script src="/client.js"></script>'
  const server = createServer((req, res) => {
    const isScript = req.url === '/client.js'
    res.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    res.end(isScript ? script : html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** Runs the body of an asynchronous function in the page, with a client of the given session. */
async function inPage(tab: Page, accessToken: string, body: string): Promise<unknown> {
  const options = JSON.stringify({ baseUrl: service.url, accessToken, maxRetries: 0 })
  return tab.evaluate(`(async () => { const crm = new crmkit.Crm(${options}); ${body} })()`)
}

test('the client works in a page of a named origin: changes, lists, streams, and the details of a refusal', async () => {
  const { token } = await registerTenant(service.url)
  const tab = await browser.newPage()
  await tab.goto(page.origin)
  const seen = await inPage(
    tab,
    token,
    `const events = crm.events.stream({ after: 'earliest', types: ['customer.created'] })
     const { data, response } = await crm.customers.create({ firstName: 'Ada' }).withResponse()
     let streamed
     for await (const event of events) { streamed = event.data._id; break }
     const names = []
     for await (const { profile } of crm.customers.list()) names.push(profile.firstName)
     const refusal = await crm.customers.create({ email: 'none' }).catch((error) => error)
     await crm.customers.update(data._id, { tier: 'gold' })
     await crm.customers.delete(data._id)
     return {
       isSame: streamed === data._id,
       names,
       headers: [response.headers.get('x-request-id'), response.headers.get('x-ratelimit-limit')],
       refusal: [refusal.constructor.name, refusal.status, refusal.details[0].field, typeof refusal.requestId],
     }`,
  )
  expect(seen).toEqual({
    isSame: true,
    names: ['Ada'],
    headers: [expect.stringMatching(/^[\w-]{8,}$/), '300'],
    refusal: [expect.stringContaining('ValidationError'), 422, 'email', 'string'],
  })
  const list = await call(service.url, { path: '/api/v1/customers', token })
  expect(list.body.data).toEqual([])
})

test('a page of any other origin reads nothing', async () => {
  const { token } = await registerTenant(service.url)
  const stranger = await serveClient()
  const tab = await browser.newPage()
  await tab.goto(stranger.origin)
  const refusal = await inPage(
    tab,
    token,
    `return crm.customers.list().then(() => 'read', (error) => error.constructor.name)`,
  )
  stranger.close()
  expect(refusal).toContain('ConnectionError')
})
