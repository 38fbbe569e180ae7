import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const service = useService()
let token: string
beforeAll(async () => {
  token = (await registerTenant(service.url)).token
})

async function makeInbox(widget: object): Promise<{ _id: string; widget: { publicKey: string } }> {
  const body = { name: 'Web', channel: 'chat', widget: { enabled: true, ...widget } }
  const { body: reply } = await call(service.url, { method: 'POST', path: '/api/v1/inboxes', token, body })
  return reply.data
}

const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers })
const getFrame = (key: string) => get(`/widget/v1/frame?key=${key}`)
const policyOf = ({ headers }: Response) => headers.get('content-security-policy')

test('the stub names a loader of the same build, with the hash of its bytes', async () => {
  const stub = await get('/widget/v1.js')
  const text = await stub.text()
  const [, name] = /"(\w+\.js)"/.exec(text) ?? []
  const [integrity] = /sha384-[\w+/=]+/.exec(text) ?? []
  const loader = await get(`/widget/${name}`)
  const hash = createHash('sha384')
    .update(await loader.text())
    .digest('base64')
  expect(integrity).toBe(`sha384-${hash}`)
  expect(stub.headers.get('cache-control')).toBe('public, max-age=300')
  expect(loader.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
})

test('a page of any origin may load the scripts, and they set no cookie', async () => {
  const frame = await (await getFrame((await makeInbox({})).widget.publicKey)).text()
  const [, frameScript] = /src="\.\.\/(\w+\.js)"/.exec(frame) ?? []
  for (const path of ['/widget/v1.js', `/widget/${frameScript}`]) {
    const { status, headers } = await get(path, { origin: 'https://shop.example' })
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'content-type': 'text/javascript; charset=utf-8',
    })
    expect(headers.has('set-cookie')).toBe(false)
  }
})

test('a file of another build is a 404 that a page of any origin can read', async () => {
  const { status, headers } = await get('/widget/0123456789abcdef0123.js')
  expect([status, headers.get('access-control-allow-origin')]).toEqual([404, '*'])
})

test('the files are sent compressed where the client takes that, and not again when it has them', async () => {
  const packed = await get('/widget/v1.js', { 'accept-encoding': 'gzip' })
  const plain = await get('/widget/v1.js', { 'accept-encoding': 'identity' })
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(await packed.text()).toBe(await plain.text())
  const etag = packed.headers.get('etag') ?? ''
  expect((await get('/widget/v1.js', { 'if-none-match': etag })).status).toBe(304)
})

test('the frame may be embedded by the allowed origins alone, and a change of them holds for the next request', async () => {
  const { _id, widget } = await makeInbox({ allowedOrigins: ['https://a.example', 'http://localhost:8080'] })
  const frame = await getFrame(widget.publicKey)
  expect(frame.status).toBe(200)
  expect(policyOf(frame)).toBe(
    "default-src 'self'; img-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors https://a.example http://localhost:8080",
  )
  expect(Object.fromEntries(frame.headers)).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'cross-origin-embedder-policy': 'require-corp',
  })
  expect(frame.headers.has('x-frame-options')).toBe(false)
  expect(frame.headers.has('set-cookie')).toBe(false)
  const body = { widget: { enabled: true, allowedOrigins: [] } }
  await call(service.url, { method: 'PUT', path: `/api/v1/inboxes/${_id}`, token, body })
  expect(policyOf(await getFrame(widget.publicKey))).toContain('frame-ancestors *')
})

test('the frame of an unknown key is a 404 and one that is switched off a 403, and no page may embed either', async () => {
  const off = await makeInbox({})
  const body = { widget: { enabled: false } }
  await call(service.url, { method: 'PUT', path: `/api/v1/inboxes/${off._id}`, token, body })
  const inactive = await makeInbox({})
  await call(service.url, {
    method: 'PUT',
    path: `/api/v1/inboxes/${inactive._id}`,
    token,
    body: { isActive: false },
  })
  for (const [key, status] of [
    ['', 404],
    ['wpk_unknown', 404],
    [off.widget.publicKey, 403],
    [inactive.widget.publicKey, 403],
  ] as const) {
    const frame = await getFrame(key)
    expect(frame.status, key).toBe(status)
    expect(policyOf(frame)).toContain("frame-ancestors 'none'")
    expect(frame.headers.get('cache-control')).toBe('no-store')
  }
})

test('no name of a request becomes a path of the disk', async () => {
  for (const path of [
    '/widget/',
    '/widget/..%2f..%2fpackage.json',
    '/widget/widget.json',
    '/widget/constructor',
  ])
    expect((await get(path)).status, path).toBe(404)
})
