import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { useSenderHarness } from '../../../test/support/sender-harness.ts'
import { createDestinationGuard } from './destination-guard.ts'
import { createHttpsSender } from './https-sender.ts'

const { certificate, onCleanup, openSender, openReceiver, openTcp, post } = useSenderHarness()

describe('a good receiver', () => {
  test('gets the exact bytes, and the result has the status, ordered timings and the address', async () => {
    const receiver = await openReceiver()
    const result = await post(openSender(), receiver.url)
    expect(result).toMatchObject({
      statusCode: 200,
      errorCode: null,
      error: null,
      remoteAddress: '127.0.0.1',
      retryAfterMs: null,
    })
    const { dns, connect, tls, firstByte, total } = result.timings
    const points = [dns, connect, tls, firstByte, total].map(Number)
    expect(points).toEqual([...points].sort((a, b) => a - b))
    expect(receiver.requests[0]).toMatchObject({ method: 'POST', url: '/hook', body: '{"hello":"wörld"}' })
    expect(receiver.requests[0]?.headers['content-length']).toBe('18')
  })

  test('keeps its connection for one tenant and never shares it with another one', async () => {
    const receiver = await openReceiver()
    const sender = openSender()
    await post(sender, receiver.url)
    const second = await post(sender, receiver.url)
    expect(receiver.connectionCount()).toBe(1)
    expect(second.timings).toMatchObject({ dns: null, connect: null, tls: null })
    expect(second.remoteAddress).toBe('127.0.0.1')
    await post(sender, receiver.url, { tenantId: 'ten_2' })
    expect(receiver.connectionCount()).toBe(2)
  })

  test('keeps as many connections as were busy at the same time: a handshake costs more than a delivery', async () => {
    const receiver = await openReceiver()
    const sender = openSender()
    const postAll = () => Promise.all(Array.from({ length: 40 }, () => post(sender, receiver.url)))
    await postAll()
    await postAll()
    expect(receiver.connectionCount()).toBe(40)
  })

  test('that closed an idle connection gets the request again on a new one', async () => {
    let isFirst = true
    const receiver = await openReceiver((req, res) => {
      if (req.url === '/cut' && isFirst) {
        isFirst = false
        req.socket.destroy()
      } else res.end()
    })
    const sender = openSender()
    await post(sender, receiver.url)
    const result = await post(sender, `https://127.0.0.1:${receiver.port}/cut`)
    expect(result.statusCode).toBe(200)
    expect(receiver.connectionCount()).toBe(2)
  })

  test('that dies long after the request was sent gets it once: the receiver may have it', async () => {
    let count = 0
    const receiver = await openReceiver((req, res) => {
      count += 1
      if (req.url === '/cut') setTimeout(() => req.socket.destroy(), 1_000)
      else res.end()
    })
    const sender = openSender()
    await post(sender, receiver.url)
    const result = await post(sender, `https://127.0.0.1:${receiver.port}/cut`)
    expect(result).toMatchObject({ statusCode: null, errorCode: 'CONNECT' })
    expect(count).toBe(2)
  })

  test('succeeds with a 204 behind which further bytes follow', async () => {
    const receiver = await openReceiver((req) =>
      req.socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n{"ok":true}'),
    )
    expect(await post(openSender(), receiver.url)).toMatchObject({ statusCode: 204, errorCode: null })
  })

  test.each([200, 201, 204, 299])('succeeds with %i', async (status) => {
    const receiver = await openReceiver((_req, res) => res.writeHead(status).end())
    expect(await post(openSender(), receiver.url)).toMatchObject({ statusCode: status, errorCode: null })
  })
})

describe('a bad response', () => {
  test.each([301, 302, 307, 308, 304])('%i is a failure and is not followed', async (status) => {
    const receiver = await openReceiver((_req, res) => res.writeHead(status, { location: '/other' }).end())
    expect(await post(openSender(), receiver.url)).toMatchObject({
      statusCode: status,
      errorCode: 'REDIRECT',
    })
    expect(receiver.requests).toHaveLength(1)
  })

  test.each([400, 404, 410, 500])(
    '%i is a failure whose text holds nothing of the receiver',
    async (status) => {
      const receiver = await openReceiver((_req, res) =>
        res.writeHead(status, 'private', { 'x-a': 'private' }).end('private'),
      )
      const result = await post(openSender(), receiver.url)
      expect(result).toMatchObject({ statusCode: status, errorCode: 'STATUS' })
      expect(result.error).not.toContain('private')
    },
  )

  test.each(['000', '001', '099', '600', '999'])(
    'a status of %s, which HTTP does not have, is no status but a broken response',
    async (status) => {
      const receiver = await openReceiver((_req, res) =>
        res.socket?.end(`HTTP/1.1 ${status} Odd\r\nContent-Length: 0\r\n\r\n`),
      )
      expect(await post(openSender(), receiver.url)).toMatchObject({
        statusCode: null,
        errorCode: 'BODY',
        error: 'The response was not valid HTTP or ended early',
      })
    },
  )

  test.each([
    [429, '7', 7000],
    [503, '7', 7000],
    [503, '86400', 3_600_000],
    [503, 'soon', null],
    [500, '7', null],
  ])('%i with Retry-After %s asks for %s ms', async (status, value, expected) => {
    const receiver = await openReceiver((_req, res) => res.writeHead(status, { 'retry-after': value }).end())
    expect((await post(openSender(), receiver.url)).retryAfterMs).toBe(expected)
  })

  test('takes a Retry-After date', async () => {
    const date = new Date(Date.now() + 20_000).toUTCString()
    const receiver = await openReceiver((_req, res) => res.writeHead(503, { 'retry-after': date }).end())
    const { retryAfterMs } = await post(openSender(), receiver.url)
    expect(retryAfterMs).toBeGreaterThan(17_000)
    expect(retryAfterMs).toBeLessThanOrEqual(20_000)
  })

  test('of 10 MB is dropped after 64 KB, and its status is the result', async () => {
    let written = 0
    const receiver = await openReceiver((_req, res) => {
      const chunk = Buffer.alloc(64 * 1024)
      const push = () => {
        while (written < 10_485_760 && !res.destroyed) {
          written += chunk.length
          if (!res.write(chunk)) return res.once('drain', push)
        }
        return res.end()
      }
      push()
    })
    expect(await post(openSender(), receiver.url)).toMatchObject({ statusCode: 200, errorCode: null })
    expect(written).toBeLessThan(10_485_760)
  })

  test('with a body that ends early fails with BODY', async () => {
    const receiver = await openReceiver((req, res) => {
      res.writeHead(200, { 'content-length': '100' }).write('half', () => req.socket.destroy())
    })
    expect(await post(openSender(), receiver.url)).toMatchObject({ statusCode: 200, errorCode: 'BODY' })
  })

  test('that is not HTTP fails with BODY', async () => {
    const receiver = await openReceiver((req) => req.socket.end('SSH-2.0-OpenSSH\r\n\r\n'))
    expect(await post(openSender(), receiver.url)).toMatchObject({ statusCode: null, errorCode: 'BODY' })
  })
})

describe('the time limit', () => {
  const timeoutMs = 600
  const expectTimeout = async (url: string, sender = openSender()) => {
    const startedAt = performance.now()
    const result = await post(sender, url, { timeoutMs })
    // None of these would ever end; a busy machine notices the end late.
    expect(performance.now() - startedAt).toBeLessThan(20 * timeoutMs)
    expect(result.errorCode).toBe('TIMEOUT')
    return result
  }

  test('ends a request to a receiver that never responds [delivery.timeout]', async () => {
    const receiver = await openReceiver(() => undefined)
    expect((await expectTimeout(receiver.url)).statusCode).toBeNull()
  })

  test('ends a response that comes one header byte at a time', async () => {
    const receiver = await openReceiver((req) => {
      req.socket.write('HTTP/1.1 200 OK\r\nx: ')
      const drip = setInterval(() => req.socket.write('a'), 20)
      req.socket.on('close', () => clearInterval(drip))
    })
    await expectTimeout(receiver.url)
  })

  test('ends a body that never ends [delivery.timeout]', async () => {
    const receiver = await openReceiver((req, res) => {
      res.writeHead(200)
      const drip = setInterval(() => res.write('a'), 20)
      req.socket.on('close', () => clearInterval(drip))
    })
    expect((await expectTimeout(receiver.url)).statusCode).toBe(200)
  })

  test('ends a TLS handshake that stalls', async () => {
    await expectTimeout(await openTcp(() => undefined))
  })

  test('ends a look-up that never resolves, and opens no connection for it later', async () => {
    let answer: (addresses: string[]) => void = () => undefined
    const sender = openSender({ resolveHost: () => new Promise((resolve) => (answer = resolve)) })
    const receiver = await openReceiver()
    const result = await expectTimeout(`https://receiver.test:${receiver.port}/`, sender)
    expect(result.timings.dns).toBeNull()
    answer(['127.0.0.1'])
    await post(openSender(), receiver.url)
    expect(receiver.connectionCount()).toBe(1)
  })
})

describe('no connection', () => {
  test('a name without an address fails with DNS', async () => {
    const notFound = Object.assign(new Error('private text'), { code: 'ENOTFOUND' })
    const sender = openSender({ resolveHost: () => Promise.reject(notFound) })
    const result = await post(sender, 'https://receiver.test/')
    expect(result).toMatchObject({
      errorCode: 'DNS',
      error: 'The host name could not be resolved (ENOTFOUND)',
    })
  })

  test('a closed port fails with CONNECT', async () => {
    const receiver = await openReceiver()
    await receiver.close()
    expect(await post(openSender(), receiver.url)).toMatchObject({ errorCode: 'CONNECT', statusCode: null })
  })

  test('a reset before the response on a new connection fails with CONNECT and is not retried', async () => {
    const receiver = await openReceiver((req) => req.socket.destroy())
    expect((await post(openSender(), receiver.url)).errorCode).toBe('CONNECT')
    expect(receiver.requests).toHaveLength(1)
  })

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'a receiver that asks for a certificate of the sender fails with TLS: %s',
    async (version) => {
      const { key, cert } = certificate()
      const server = createTlsServer({
        ...{ key, cert, requestCert: true, rejectUnauthorized: true, ca: cert },
        ...{ minVersion: version, maxVersion: version },
      })
      server.on('tlsClientError', () => undefined)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onCleanup(() => server.close())
      const { port } = server.address() as AddressInfo
      expect((await post(openSender(), `https://127.0.0.1:${port}/`)).errorCode).toBe('TLS')
    },
  )

  test('a header that cannot be sent is a result, not a rejection', async () => {
    const receiver = await openReceiver()
    expect((await post(openSender(), receiver.url, { headers: { 'x-a': 'a\r\nb' } })).errorCode).toBe(
      'CONNECT',
    )
  })
})

test('a response to a request that the receiver does not read leaves no open connection', async () => {
  const connected = Promise.withResolvers<Socket>()
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    socket.on('error', () => undefined)
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
    connected.resolve(socket)
  })
  onCleanup(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const guard = createDestinationGuard({ allowCidrs: ['127.0.0.0/8'], allowHttp: true })
  const sender = createHttpsSender({ guard })
  onCleanup(() => sender.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const result = await post(sender, url, { body: 'x'.repeat(32 * 1024 * 1024) })
  expect(result).toMatchObject({ statusCode: 200, errorCode: null })
  const socket = await connected.promise
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.resume()
  await closed
})
