import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Failure } from '@crmkit/core'
import { afterEach, expect, test } from 'vitest'
import { type FormFile, readForm } from './read-form.ts'

const boundary = 'xxBOUNDARYxx'
const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
const form = { field: 'file', bytesMax: 1024 * 1024, timeMaxMs: 10_000 }

function part(
  name: string,
  content: string,
  { filename = 'a.txt' }: { filename?: string | null } = {},
): string {
  const file = filename === null ? '' : `; filename="${filename}"`
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`
}
const end = `--${boundary}--\r\n`

let server: Server
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

type Read = { value: unknown } | { error: unknown }

/** A server of one request; `take` receives its form. */
async function serve(
  take: (file: FormFile, req: IncomingMessage) => Promise<unknown>,
  { timeMaxMs = form.timeMaxMs } = {},
) {
  const { promise, resolve } = Promise.withResolvers<Read>()
  server = createServer((req, res) => {
    readForm(req, { ...form, timeMaxMs }, (file) => take(file, req))
      .then(
        (value) => resolve({ value }),
        (error: unknown) => resolve({ error }),
      )
      .finally(() => res.end('read'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { port, read: promise }
}

async function contentOf({ bytes }: FormFile): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

async function read(body: string, own: Record<string, string> = headers): Promise<Read> {
  const { port, read: result } = await serve(async (file) => ({ ...file, bytes: await contentOf(file) }))
  const req = request({ port, host: '127.0.0.1', method: 'POST', headers: own })
  req.on('error', () => {})
  req.end(body)
  return result
}

function failureOf(result: Read): unknown[] {
  if (!('error' in result) || !(result.error instanceof Failure)) throw new Error(JSON.stringify(result))
  const { code, details } = result.error
  return [
    code,
    ...((details ?? []) as { field: string; rule: string }[]).map(({ field, rule }) => [field, rule]),
  ]
}

test('returns the one file with its name and declared type', async () => {
  expect(await read(part('file', 'content') + end)).toEqual({
    value: { fields: {}, filename: 'a.txt', declaredType: 'text/plain', bytes: 'content' },
  })
})

test.each([
  ['no file', end, [['file', 'required']]],
  ['an empty form', '', ['INVALID_JSON']],
  [
    'a field before the file',
    part('note', 'x', { filename: null }) + part('file', 'x') + end,
    [['note', 'unknown_field']],
  ],
  [
    'a field behind it',
    part('file', 'x') + part('note', 'x', { filename: null }) + end,
    [['note', 'unknown_field']],
  ],
  [
    'a file of another name',
    part('photo', 'x') + end,
    [
      ['photo', 'unknown_field'],
      ['file', 'required'],
    ],
  ],
  ['two files', part('file', 'x') + part('file', 'y') + end, [['file', 'max']]],
  [
    'a text in the place of the file',
    part('file', 'x', { filename: null }) + end,
    [
      ['file', 'type'],
      ['file', 'required'],
    ],
  ],
  ['a form without an end', part('file', 'x'), ['INVALID_JSON']],
  [
    'a file that breaks off',
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf`,
    ['INVALID_JSON'],
  ],
  ['another boundary', (part('file', 'x') + end).replaceAll(boundary, 'other'), ['INVALID_JSON']],
] as const)('refuses %s', async (_, body, expected) => {
  const problems = expected[0] === 'INVALID_JSON' ? expected : ['VALIDATION_ERROR', ...expected]
  expect(failureOf(await read(body))).toEqual(problems)
})

test('refuses a body that is no form, has no boundary, or is compressed', async () => {
  const body = part('file', 'x') + end
  for (const own of [
    {},
    { 'content-type': 'application/json' },
    { 'content-type': 'multipart/form-data' },
    { 'content-type': 'multipart/form-data; charset=utf-8' },
    { 'content-type': `multipart/mixed; boundary=${boundary}` },
    { ...headers, 'content-encoding': 'gzip' },
  ]) {
    expect(failureOf(await read(body, own as Record<string, string>))).toEqual(['UNSUPPORTED_MEDIA_TYPE'])
    server.close()
  }
})

test('refuses a file as soon as it is too large, also while it still arrives', async () => {
  const { port, read: result } = await serve(contentOf)
  const req = request({ port, host: '127.0.0.1', method: 'POST', headers })
  req.on('error', () => {})
  req.write(part('file', '').slice(0, -2))
  req.write('x'.repeat(form.bytesMax + 1))
  expect(failureOf(await result)).toEqual(['PAYLOAD_TOO_LARGE'])
  const [response] = (await once(req.end(), 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(200)
})

test('accepts a file of exactly the allowed size', async () => {
  const content = 'x'.repeat(form.bytesMax)
  expect(await read(part('file', content) + end)).toMatchObject({ value: { bytes: content } })
})

test('refuses a body that is too large beside its file, and one that announces it', async () => {
  expect(failureOf(await read(`${'-'.repeat(2 * form.bytesMax)}\r\n${part('file', 'x')}${end}`))).toEqual([
    'PAYLOAD_TOO_LARGE',
  ])
  server.close()
  const { port, read: result } = await serve(contentOf)
  const req = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    headers: { ...headers, 'content-length': 5e9 },
  })
  req.on('error', () => {})
  req.flushHeaders()
  expect(failureOf(await result)).toEqual(['PAYLOAD_TOO_LARGE'])
  req.destroy()
})

test('fails when the sender disconnects, and the consumer of the file fails too', async () => {
  const taken = Promise.withResolvers<unknown>()
  const began = Promise.withResolvers<void>()
  const { port, read: result } = await serve(async ({ bytes }) => {
    began.resolve()
    try {
      for await (const _ of bytes);
    } catch (error) {
      taken.resolve(error)
      throw error
    }
  })
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${headers['content-type']}\r\nContent-Length: 9999\r\n\r\n`,
  )
  socket.write(part('file', 'half'))
  await began.promise
  socket.destroy()
  expect(failureOf(await result)).toEqual(['INVALID_JSON'])
  expect(await taken.promise).toBeInstanceOf(Failure)
})

test('gives a slow sender a limited time', async () => {
  const { port, read: result } = await serve(contentOf, { timeMaxMs: 50 })
  const req = request({ port, host: '127.0.0.1', method: 'POST', headers })
  req.on('error', () => {})
  req.write(part('file', 'half').slice(0, -2))
  const outcome = await result
  expect(failureOf(outcome)).toEqual(['INVALID_JSON'])
  expect(outcome).toMatchObject({ error: { headers: { Connection: 'close' } } })
})

test('reads from the sender no faster than the consumer takes the file', async () => {
  const goOn = Promise.withResolvers<void>()
  let req: IncomingMessage | undefined
  const size = 900_000
  const { port, read: result } = await serve(async (file, incoming) => {
    req = incoming
    await goOn.promise
    return (await contentOf(file)).length
  })
  const sender = request({ port, host: '127.0.0.1', method: 'POST', headers })
  sender.write(part('file', 'x'.repeat(size)))
  sender.end(end)
  await expect.poll(() => req?.isPaused()).toBe(true)
  // The bytes in flight fill the buffers of two streams, far less than the file.
  expect(req?.socket.bytesRead).toBeLessThan(size / 2)
  goOn.resolve()
  expect(await result).toEqual({ value: size })
})

test('fails at once when an earlier middleware has read the form', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  server = createServer(async (req, res) => {
    for await (const _ of req);
    await readForm(req, form, contentOf).catch(resolve)
    res.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  request({ port, host: '127.0.0.1', method: 'POST', headers }).end(part('file', 'x') + end)
  expect(String(await promise)).toContain('mount crmkit before it')
})

test('ends the form with the failure of the consumer of the file', async () => {
  const { port, read: result } = await serve(async () => {
    throw new RangeError('the disk is full')
  })
  const req = request({ port, host: '127.0.0.1', method: 'POST', headers })
  req.on('error', () => {})
  req.end(part('file', 'x'.repeat(500_000)) + end)
  expect(await result).toMatchObject({ error: { message: 'the disk is full' } })
  const [response] = (await once(req, 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(200)
})
