import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Crm, NotFoundError } from '../src/index.ts'
import { fakeFetch, makeAttachment } from '../src/testing/index.ts'
import { ok, refuse, resetConnection, scriptedServer } from './support/scripted-server.ts'

const apiKey = 'sk_live_secret'
const bytes = new Uint8Array([0, 255, 10, 13, 128, 45, 45])

/** A server that returns each field of the request. */
async function startEcho(): Promise<string> {
  const server = createServer(async (req, res) => {
    const headers = { 'content-type': req.headers['content-type'] ?? '' }
    const form = await new Response(new Uint8Array(await buffer(req)), { headers }).formData()
    const fields = await Promise.all(
      [...form].map(async ([field, file]) => {
        if (typeof file === 'string') return { field, text: file }
        return {
          field,
          name: file.name,
          type: file.type,
          bytes: [...new Uint8Array(await file.arrayBuffer())],
        }
      }),
    )
    res
      .writeHead(201, { 'content-type': 'application/json' })
      .end(JSON.stringify({ success: true, data: fields }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('crm.attachments.create', () => {
  it.each([
    ['a File', () => new File([bytes], 'ü.png', { type: 'image/png' }), {}, 'ü.png'],
    ['a File under another name', () => new File([bytes], 'a.png'), { filename: 'b.png' }, 'b.png'],
    ['a Blob', () => new Blob([bytes]), { filename: 'blob.bin' }, 'blob.bin'],
    ['a Blob without a name', () => new Blob([bytes]), {}, 'blob'],
    ['a stream', () => new Blob([bytes]).stream(), { filename: 'stream.bin' }, 'stream.bin'],
  ])('sends %s, byte for byte, in one field', async (_, file, options, name) => {
    const crm = new Crm({ baseUrl: await startEcho(), apiKey })
    expect(await crm.attachments.create(file(), options)).toMatchObject([
      { field: 'file', name, bytes: [...bytes] },
    ])
  })

  it('is repeated whole, with one Idempotency-Key, also from a stream', async () => {
    const { baseUrl, seen } = await scriptedServer(
      resetConnection,
      refuse(503, 'SERVICE_UNAVAILABLE', { headers: { 'retry-after': '0' } }),
      ok({ _id: 'att_1' }),
    )
    const file = new Blob(['the whole file']).stream()
    await new Crm({ baseUrl, apiKey }).attachments.create(file, { filename: 'a.txt' })
    expect(seen).toHaveLength(3)
    for (const { body } of seen) expect(body).toContain('the whole file')
    expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })
})

describe('crm.imports.uploadFile', () => {
  /** 17 MiB: more than is kept for a retry. */
  const long = () => new Blob(Array.from({ length: 17 }, () => new Uint8Array(1024 * 1024).fill(97))).stream()
  const upload = (baseUrl: string, headers = {}) =>
    new Crm({ baseUrl, apiKey, headers }).imports.uploadFile('int_1', long(), { module: 'Contacts' })

  it('sends a long stream while it is read, byte for byte, behind its fields', async () => {
    // A Content-Type of the client is that of JSON, and an upload has its own.
    const [text, file] = (await upload(await startEcho(), {
      'Content-Type': 'application/json',
    })) as never as [{ field: string }, { bytes: number[] }]
    expect(text.field).toBe('module')
    expect(file.bytes).toHaveLength(17 * 1024 * 1024)
    expect(file.bytes.every((byte) => byte === 97)).toBe(true)
  })

  it('sends an archive of all modules without a module, and returns a list', async () => {
    const { baseUrl, seen } = await scriptedServer(ok([{ _id: 'att_1', module: 'Cases' }]))
    const crm = new Crm({ baseUrl, apiKey })
    const [file] = await crm.imports.uploadArchive('int_1', new Blob(['PK']), { encoding: 'utf-8' })
    expect(file?.module).toBe('Cases')
    expect(seen[0]?.url).toBe('/api/extcrm/integrations/int_1/files')
    expect(seen[0]?.body).toContain('name="encoding"')
    expect(seen[0]?.body).not.toContain('name="module"')
  })

  it('gets a list of the test kit only without a module', async () => {
    const crm = new Crm({ baseUrl: 'https://crm.test', apiKey, fetch: fakeFetch() })
    expect(await crm.imports.uploadArchive('int_1', new Blob(['PK']))).toMatchObject([
      { _id: expect.any(String) },
    ])
    const one = await crm.imports.uploadFile('int_1', new Blob(['id']), { module: 'Cases' })
    expect(one).toMatchObject({ _id: expect.any(String) })
  })

  it('is sent once when the stream is long, because nothing is left of it', async () => {
    const { baseUrl, seen } = await scriptedServer(
      refuse(503, 'SERVICE_UNAVAILABLE', { headers: { 'retry-after': '0' } }),
      ok({ _id: 'imf_1' }),
    )
    await expect(upload(baseUrl)).rejects.toMatchObject({ status: 503 })
    expect(seen).toHaveLength(1)
  })
})

it('names with quotes and line breaks stay one name', async () => {
  const crm = new Crm({ baseUrl: await startEcho(), apiKey })
  const [file] = (await crm.attachments.create(new Blob(['x']), { filename: 'a"b\r\nc.txt' })) as never as [
    { name: string },
  ]
  expect(decodeURIComponent(file.name)).toBe('a"b\r\nc.txt')
})

describe('crm.attachments.get', () => {
  it('leaves the bytes to the caller, as they arrive', async () => {
    const { baseUrl } = await scriptedServer((res) => {
      res.writeHead(200, {
        'content-type': 'application/json',
        'content-disposition': 'attachment; filename=a.json',
      })
      res.end('{"not":"an envelope"}')
    })
    const response = await new Crm({ baseUrl, apiKey }).attachments.get('att_1')
    expect(response.headers.get('content-disposition')).toContain('a.json')
    expect(response.bodyUsed).toBe(false)
    expect(await response.text()).toBe('{"not":"an envelope"}')
  })

  it('is retried until its head arrives, and refused like any call', async () => {
    const { baseUrl, seen } = await scriptedServer(
      refuse(503, 'SERVICE_UNAVAILABLE', { headers: { 'retry-after': '0' } }),
      (res) => void res.end('bytes'),
      refuse(404, 'NOT_FOUND'),
    )
    const crm = new Crm({ baseUrl, apiKey })
    expect(await (await crm.attachments.get('att_1')).text()).toBe('bytes')
    expect(seen).toHaveLength(2)
    await expect(crm.attachments.get('att_2')).rejects.toThrow(NotFoundError)
  })

  it('ends in the middle when its signal aborts', async () => {
    const gone = Promise.withResolvers<void>()
    const { baseUrl } = await scriptedServer((res) => {
      res.on('close', gone.resolve)
      res.writeHead(200).write('half')
    })
    const stop = new AbortController()
    const response = await new Crm({ baseUrl, apiKey }).attachments.get('att_1', { signal: stop.signal })
    const reader = response.body?.getReader()
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('half')
    const rest = reader?.read()
    stop.abort(new Error('enough'))
    await expect(rest).rejects.toThrow('enough')
    await gone.promise
  })
})

it('the test kit accepts files', async () => {
  let name: unknown
  const fetch = fakeFetch({
    'attachments.create': ({ body }) => {
      const file = (body as FormData).get('file') as File
      name = file.name
      return makeAttachment({ filename: file.name })
    },
  })
  const crm = new Crm({ baseUrl: 'https://crm.test', apiKey: 'sk_test_x', fetch })
  const made = await crm.attachments.create(new File(['x'], 'moth.png'))
  expect([name, made.filename]).toEqual(['moth.png', 'moth.png'])
})
