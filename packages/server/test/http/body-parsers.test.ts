import { createServer, type Server } from 'node:http'
import express, { type RequestHandler } from 'express'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Crm, createCrm } from '../../src/main/create-crm.ts'
import { call, registerTenant } from '../support/call.ts'

// An app may read the body of every request before the service sees it.

let crm: Crm
const servers: Server[] = []
beforeAll(async () => {
  crm = await createCrm({ temporary: true, rateLimits: 'off' })
})
afterAll(async () => {
  for (const server of servers) server.close().closeAllConnections()
  await crm.stop()
})

async function serveAfter(parser: RequestHandler): Promise<string> {
  const server = createServer(express().use(parser).use(crm.router)).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

const type = '*/*'
const parsers: [string, RequestHandler][] = [
  ['express.json', express.json()],
  ['express.raw', express.raw({ type })],
  ['express.text', express.text({ type })],
  ['express.urlencoded', express.urlencoded({ extended: false })],
]

it.each(parsers)('serves JSON bodies, empty bodies and refusals after %s', async (_name, parser) => {
  const url = await serveAfter(parser)
  const { token } = await registerTenant(url)
  const post = (path: string, given: object) => call(url, { method: 'POST', path, token, ...given })
  const created = await post('/api/v1/customers', { body: { firstName: 'Ada' } })
  expect([created.status, created.body.data.profile.firstName]).toEqual([201, 'Ada'])
  const label = { labels: ['a'] }
  expect((await post('/api/v1/conversations/con_1/labels', { body: label })).status).toBe(404)
  expect((await post('/api/auth/logout', {})).status).toBe(200)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const form = await call(url, { method: 'POST', path: '/api/auth/login', rawBody: 'email=a', headers })
  expect([form.status, form.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
})

it('refuses broken JSON and takes an upload after a parser that keeps the bytes', async () => {
  const url = await serveAfter(express.raw({ type, limit: '5mb' }))
  const { token } = await registerTenant(url)
  const broken = await call(url, {
    method: 'POST',
    path: '/api/v1/customers',
    token,
    rawBody: '{"firstName":',
  })
  expect([broken.status, broken.body.code]).toEqual([400, 'INVALID_JSON'])
  const form = { file: new File(['A moth'], 'moth.txt') }
  const upload = await call(url, { method: 'POST', path: '/api/v1/attachments', token, form })
  expect([upload.status, upload.body.data.size]).toEqual([201, 6])
})
