import { createServer, type Server } from 'node:http'
import express, { type ErrorRequestHandler, type Express } from 'express'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Crm, createCrm } from '../../src/main/create-crm.ts'
import { registerTenant } from '../support/call.ts'
import { scrape } from '../support/read-metrics.ts'

let crm: Crm
const servers: Server[] = []

beforeAll(async () => {
  crm = await createCrm({ temporary: true })
  await crm.start()
})
afterAll(async () => {
  for (const server of servers) server.close().closeAllConnections()
  await crm.stop()
})

async function serve(listener: Express | Crm['handler']): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

describe('the router in an Express app', () => {
  it('an app can serve the metrics of the service by a route of its own', async () => {
    const metrics = express().get('/figures', async (_req, res) => void res.send(await crm.metrics()))
    const url = await serve(metrics.use(crm.router))
    expect((await fetch(`${url}/api/v1/health`)).status).toBe(200)
    const { sum } = await scrape(`${url}/figures`)
    expect(sum('crm_http_requests_total', { path: '/api/v1/health', status: '2xx' })).toBe(1)
  })

  it('serves the API and the pages beside the routes of the app, under any path', async () => {
    const app = express().get('/', (_req, res) => void res.send('My shop'))
    const url = await serve(app.use(crm.router).use('/support', crm.router))
    expect(await (await fetch(url)).text()).toBe('My shop')
    for (const mount of ['', '/support']) {
      const { token } = await registerTenant(url + mount)
      const headers = { authorization: `Bearer ${token}` }
      expect((await fetch(`${url}${mount}/api/auth/me`, { headers })).status).toBe(200)
      expect(await (await fetch(`${url}${mount}/api-docs/`)).text()).toContain('<title>')
      const document = await fetch(`${url}${mount}/api-docs/spec.json`, { headers })
      expect(await document.json()).toMatchObject({ servers: [{ url: mount || '/' }] })
    }
  })

  it('runs after the middleware of the app', async () => {
    const app = express().use((_req, res, next) => {
      res.setHeader('X-Shop', 'Ada')
      next()
    })
    const reply = await fetch(`${await serve(app.use(crm.router))}/api/v1/health`)
    expect(reply.headers.get('x-shop')).toBe('Ada')
    expect(await reply.json()).toMatchObject({ success: true })
  })

  it('passes unknown paths to the next route, and responds to unknown paths of its API', async () => {
    const app = express().use(crm.router)
    const url = await serve(app.use((_req, res) => void res.status(418).send('the app’s own')))
    for (const path of ['/', '/orders', '/apis', '/api-document', '/api-docsx']) {
      expect({ path, status: (await fetch(url + path)).status }).toEqual({ path, status: 418 })
    }
    const unknown = await fetch(`${url}/api/v1/nothing`)
    expect(unknown.status).toBe(404)
    expect(await unknown.json()).toMatchObject({ success: false, code: 'NOT_FOUND' })
  })

  it('passes a failure outside of its own handling to the error handler of the app', async () => {
    const failures: unknown[] = []
    const onError: ErrorRequestHandler = (error, _req, res, _next) => {
      failures.push(error)
      res.status(500).end()
    }
    const broken = new Error('broken by the app')
    const app = express().use((req, _res, next) => {
      Object.defineProperty(req, 'headers', {
        get: () => {
          throw broken
        },
      })
      next()
    })
    const url = await serve(app.use(crm.router).use(onError))
    expect((await fetch(`${url}/api/v1/health`)).status).toBe(500)
    expect(failures).toEqual([broken])
  })
})

it('as a plain handler of Node’s own server responds to every unknown path with a 404 in the envelope', async () => {
  const url = await serve(crm.handler)
  expect((await fetch(`${url}/api/v1/health`)).status).toBe(200)
  expect((await fetch(`${url}/api-docs/`)).status).toBe(200)
  for (const path of ['/orders', '/api/v1/nothing']) {
    const reply = await fetch(url + path)
    expect(reply.status).toBe(404)
    expect(await reply.json()).toMatchObject({ success: false, code: 'NOT_FOUND' })
  }
})
