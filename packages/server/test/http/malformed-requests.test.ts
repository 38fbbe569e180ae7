import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()

/**
 * Returns everything that the server sends until it hangs up: to these bytes, and to those that follow its first
 * response.
 */
async function send(bytes: string, afterResponse?: string): Promise<string> {
  const socket = connect(Number(new URL(running.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => {})
  socket.write(bytes)
  if (afterResponse !== undefined) socket.once('data', () => socket.write(afterResponse))
  return text(socket)
}

const health = 'GET /api/v1/health HTTP/1.1\r\nHost: x\r\n'

it.each([
  ['bytes that are not HTTP', 'hello\r\n\r\n', 400, 'INVALID_REQUEST'],
  ['a header without a name', `${health}: x\r\n\r\n`, 400, 'INVALID_REQUEST'],
  ['a header with a control character', `${health}X: a\u0000b\r\n\r\n`, 400, 'INVALID_REQUEST'],
  [
    'two lengths that differ',
    `${health}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
    400,
    'INVALID_REQUEST',
  ],
  [
    'a length together with chunks, which two servers would read differently',
    `${health}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    'INVALID_REQUEST',
  ],
  ['a request without Host', 'GET /api/v1/health HTTP/1.1\r\n\r\n', 400, 'INVALID_REQUEST'],
  ['two Host headers', `${health}host: y\r\n\r\n`, 400, 'INVALID_REQUEST'],
  ['two Host headers in HTTP/1.0', `${health.replace('1.1', '1.0')}Host: x\r\n\r\n`, 400, 'INVALID_REQUEST'],
  ['an expectation that nobody meets', `${health}Expect: the-moon\r\n\r\n`, 417, 'EXPECTATION_FAILED'],
  ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', 400, 'INVALID_REQUEST'],
  ['more headers than fit', `${health}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
  ['an address that is too long', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
])('responds to %s in the envelope, and hangs up [own.headers]', async (_name, bytes, status, code) => {
  const response = await send(bytes)
  const [head = '', body = ''] = response.split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(head).toContain('X-Content-Type-Options: nosniff')
  expect(head).toContain('Cache-Control: no-store')
  expect(JSON.parse(body)).toEqual({
    success: false,
    error: expect.any(String),
    code,
    requestId: /X-Request-Id: (\S+)/.exec(head)?.[1],
  })
  expect((await call(running.url, { path: '/api/v1/health' })).status).toBe(200)
})

it('serves HTTP/1.0 without Host, and 100-continue', async () => {
  expect(await send('GET /api/v1/health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
  const expecting = `${health}Expect: 100-continue\r\nConnection: close\r\n\r\n`
  expect(await send(expecting)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
})

it('writes no refusal into a response in progress, and hangs up', async () => {
  const { token } = await registerTenant(running.url)
  const stream = `GET /api/v1/events/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`
  const response = await send(stream, 'nonsense\r\n\r\n')
  expect(response).toMatch(/^HTTP\/1\.1 200 /)
  expect(response).not.toContain('INVALID_REQUEST')
})

it('refuses garbage after a complete response', async () => {
  const response = await send(`${health}\r\n`, 'nonsense\r\n\r\n')
  expect(response.match(/^HTTP\/1\.1 \d+|(?<=\})HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
})
