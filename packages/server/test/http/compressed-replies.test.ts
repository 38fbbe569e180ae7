import { get } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

// A long JSON reply is compressed for a client that takes it so, and is the same text for every client.

const service = useService({ CRM_CORS_ORIGINS: 'https://shop.test' })
const list = '/api/v1/customers?limit=100'
let token: string

beforeAll(async () => {
  const owner = await registerTenant(service.url)
  token = owner.token
  for (let index = 0; index < 20; index += 1) {
    const body = { firstName: `Åsa ${index}`, notes: undefined, tags: ['gold', 'früh'] }
    expect((await call(service.url, { method: 'POST', path: '/api/v1/customers', token, body })).status).toBe(
      201,
    )
  }
})

interface Raw {
  status: number | undefined
  headers: Record<string, string | string[] | undefined>
  bytes: Buffer
}

/** Gets the bytes as they arrive: fetch would decompress them. */
function raw(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const all = { authorization: `Bearer ${token}`, ...headers }
    const request = get(service.url + path, { headers: all, method }, async (response) => {
      const bytes = Buffer.concat(await response.toArray())
      resolve({ status: response.statusCode, headers: response.headers, bytes })
    })
    request.once('error', reject)
  })
}

const readers: Record<'br' | 'gzip' | 'none', (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  none: (bytes: Buffer) => bytes,
}

test.each([
  ['br', 'gzip, deflate, br'],
  ['br', 'GZIP;q=1, BR;q=0.1'],
  ['gzip', 'gzip, br;q=0'],
  ['gzip', 'deflate, gzip;q=1.0'],
  ['none', 'gzip;q=0, br; q=0.000'],
  ['none', 'identity'],
  ['none', 'zstd, *'],
  ['none', ''],
] as const)(
  'a list is sent with the encoding %s to a client that accepts "%s"',
  async (encoding, accepted) => {
    const plain = await raw(list)
    const { status, headers, bytes } = await raw(list, { 'accept-encoding': accepted })
    expect(status).toBe(200)
    expect(headers['content-encoding'] ?? 'none').toBe(encoding)
    expect(headers['content-length']).toBe(String(bytes.length))
    expect(headers['vary']).toBe('Origin, Accept-Encoding')
    expect(JSON.parse(readers[encoding](bytes).toString())).toEqual(JSON.parse(plain.bytes.toString()))
    if (encoding !== 'none') expect(bytes.length).toBeLessThan(plain.bytes.length / 3)
  },
)

test('the document of the API is compressed too', async () => {
  const { headers, bytes } = await raw('/api-docs/spec.json', { 'accept-encoding': 'br' })
  expect(headers['content-encoding']).toBe('br')
  expect(JSON.parse(brotliDecompressSync(bytes).toString())).toHaveProperty('openapi')
})

test('a client that asks for a head gets the headers of the plain reply', async () => {
  const plain = await raw(list)
  const { status, headers, bytes } = await raw(list, { 'accept-encoding': 'gzip' }, 'HEAD')
  expect([status, bytes.length, headers['content-encoding']]).toEqual([200, 0, undefined])
  expect(headers['content-length']).toBe(plain.headers['content-length'])
})

test('a short reply, and one that holds a secret, stay as they are', async () => {
  const accepted = { 'accept-encoding': 'gzip, br' }
  const short = await raw('/api/v1/customers?limit=1', accepted)
  expect([short.headers['content-encoding'], short.headers['vary']]).toEqual([undefined, 'Origin'])
  const headers = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`x-${'n'.repeat(90)}-${n}`, 'v']))
  const url = `https://shop.test/${'u'.repeat(2000)}`
  const made = await fetch(`${service.url}/api/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...accepted },
    body: JSON.stringify({ name: 'Long', url, events: ['message.sent'], headers }),
  })
  const text = await made.text()
  expect([made.status, made.headers.get('content-encoding')], text).toEqual([201, null])
  expect(text.length).toBeGreaterThan(4096)
  expect(JSON.parse(text).data.secret).toMatch(/^whsec_/)
})
