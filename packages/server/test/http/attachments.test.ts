// Runs on both databases by day: bytes in the database.

import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createRemoveDueAttachments } from '../../src/features/attachments/remove-due-attachments.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { call, createKey, registerTenant, upload } from '../support/call.ts'
import { silentLog } from '../support/silent-log.ts'
import { useService } from '../support/use-service.ts'

const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')
const path = '/api/v1/attachments'
const hourMs = 3_600_000

const running = useService()
let url: string
let token: string
let tenantId: TenantId
let inboxId: string

beforeAll(async () => {
  url = running.url
  const owner = await registerTenant(url)
  token = owner.token
  tenantId = owner.tenant._id
  inboxId = (await call(url, { path: '/api/v1/inboxes', token })).body.data[0]._id
})

const photo = () => upload(url, { token, file: new File([png], 'photo.png') })
const download = (id: string, own = token) => call(url, { path: `${path}/${id}`, token: own })
const rowOf = (id: string) => running.service.storage.forTenant(tenantId).attachments.find(id)
const bytesOf = (id: string) => running.service.attachments.read({ tenantId, id })

/** Collects the messages of the errors that the service logs. */
function collectErrors() {
  const { log } = running.service
  const spy = vi.spyOn(log, 'error')
  return {
    end() {
      const messages = spy.mock.calls.map(([fields]) => (fields as { err: Error }).err.message)
      spy.mockRestore()
      return messages
    },
  }
}

async function post(to: string, body: object) {
  return call(url, { method: 'POST', path: to, token, body })
}

async function newConversation(fields: object = {}): Promise<string> {
  const response = await post('/api/v1/conversations', { subject: 'Help', inboxId, ...fields })
  expect(response.status).toBe(201)
  return response.body.data._id
}

const messagesOf = (conversationId: string) => `/api/v1/conversations/${conversationId}/messages`

/** Removes the attachments that are due at a moment this far from now. */
async function removeDue(inMs: number): Promise<void> {
  const { storage, attachments } = running.service
  const clock = { nowMs: () => Date.now() + inMs }
  await createRemoveDueAttachments({ storage, attachments, clock, log: silentLog }).runDue()
}

describe('uploading', () => {
  it('describes the file, and returns its bytes as a download that no browser runs [own.attachments]', async () => {
    const { _id, ...file } = await upload(url, {
      token,
      file: new File([png], 'Foto „A“ – ü.png', { type: 'text/html' }),
    })
    expect(_id).toMatch(/^att_/)
    expect(file).toEqual({
      filename: 'Foto „A“ – ü.png',
      contentType: 'image/png',
      size: png.length,
      url: `${path}/${_id}`,
    })
    const response = await fetch(url + file.url, { headers: { authorization: `Bearer ${token}` } })
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer()).equals(png)).toBe(true)
    const headers = Object.fromEntries(response.headers)
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': `${png.length}`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'x-api-version': 'v1',
      'content-security-policy': "sandbox; default-src 'none'",
    })
    expect(headers['content-disposition']).toBe(
      `attachment; filename="Foto ?A? ? ?.png"; filename*=UTF-8''Foto%20%E2%80%9EA%E2%80%9C%20%E2%80%93%20%C3%BC.png`,
    )
  })

  it('responds to HEAD without the bytes of the file', async () => {
    const { url: at } = await photo()
    const response = await fetch(url + at, { method: 'HEAD', headers: { authorization: `Bearer ${token}` } })
    expect([response.status, response.headers.get('content-length')]).toEqual([200, `${png.length}`])
    expect(await response.text()).toBe('')
  })

  it('serves a page as plain text, whatever its declared type', async () => {
    const page = new File(['<script>alert(1)</script>'], 'page.html', { type: 'text/html' })
    const { _id } = await upload(url, { token, file: page })
    const { headers } = await download(_id)
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(headers.get('content-disposition')).toBe('attachment; filename=page.html')
  })

  it('accepts 10 MB, and not a byte more [own.attachments]', async () => {
    const content = new Uint8Array(10 * 1024 * 1024).fill(120)
    const whole = await upload(url, { token, file: new File([content], 'whole.txt') })
    expect(whole.size).toBe(content.length)
    expect((await download(whole._id)).body).toHaveLength(content.length)
    const form = { file: new File([content, 'x'], 'more.txt') }
    const response = await call(url, { method: 'POST', path, token, form })
    expect([response.status, response.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  it('refuses a body that is no form', async () => {
    const response = await post(path, { file: 'x' })
    expect([response.status, response.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    const none = await call(url, { method: 'POST', path, token })
    expect([none.status, none.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  it('checks the credential before it reads a byte of the body', async () => {
    const { hostname, port } = new URL(url)
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 5_000_000 }
    for (const [own, status] of [
      [{}, 401],
      [{ authorization: `Bearer ${await createKey(url, token, ['read:conversations'])}` }, 403],
    ] as const) {
      const req = request({ hostname, port, path, method: 'POST', headers: { ...headers, ...own } })
      req.on('error', () => {})
      req.flushHeaders()
      const [response] = await once(req, 'response')
      expect(response.statusCode).toBe(status)
      req.destroy()
    }
  })

  it('stores nothing of an upload that broke off', async () => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname).on('error', () => {})
    const head = `--x\r\nContent-Disposition: form-data; name="file"; filename="half.txt"\r\n\r\n`
    const lines = [
      'Host: x',
      `Authorization: Bearer ${token}`,
      'Content-Type: multipart/form-data; boundary=x',
    ]
    socket.write(
      `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\nContent-Length: 5000000\r\n\r\n${head}half`,
    )
    const unfinished = async () => {
      const due = await running.service.storage.system.across.dueAttachments.due(
        '2999-01-01T00:00:00.000Z',
        1000,
      )
      return due.filter(({ row }) => row.state === 'uploading')
    }
    await expect.poll(unfinished).toHaveLength(1)
    const id = (await unfinished())[0]?.row._id ?? ''
    socket.destroy()
    await expect.poll(unfinished).toEqual([])
    expect(await rowOf(id)).toBeUndefined()
    expect(await bytesOf(id)).toBeUndefined()
  })

  it('hides a file that is still arriving', async () => {
    const store = running.service.storage.forTenant(tenantId)
    const { _id } = await photo()
    const row = await rowOf(_id)
    const set = { state: 'uploading' as const }
    const write = {
      op: 'update',
      kind: 'attachments',
      id: _id,
      expectVersion: row?.version ?? 0,
      set,
    } as const
    await store.commit({ writes: [write], events: [] })
    expect((await download(_id)).status).toBe(404)
    const conversationId = await newConversation()
    const response = await post(messagesOf(conversationId), { content: 'Here', attachments: [_id] })
    expect(response.body.details).toMatchObject([{ field: 'attachments.0', rule: 'reference' }])
  })
})

describe('an Idempotency-Key', () => {
  const send = (file: File, key: string) =>
    call(url, { method: 'POST', path, token, form: { file }, headers: { 'idempotency-key': key } })

  it('stores a file once, however often it is sent [own.attachments]', async () => {
    const file = () => new File([png], 'once.png')
    const first = await send(file(), 'upload-1')
    const second = await send(file(), 'upload-1')
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect([second.status, second.body]).toEqual([first.status, first.body])
    const due = await running.service.storage.system.across.dueAttachments.due(
      '2999-01-01T00:00:00.000Z',
      1000,
    )
    expect(due.filter(({ row }) => row.filename === 'once.png')).toHaveLength(1)
  })

  it.each([
    ['other bytes', () => new File([png, 'x'], 'same.png')],
    ['another name', () => new File([png], 'other.png')],
  ])('is refused for %s', async (what, other) => {
    await send(new File([png], 'same.png'), `upload-${what}`)
    const response = await send(other(), `upload-${what}`)
    expect([response.status, response.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
  })

  it('stores a file once when it is sent twice at the same moment', async () => {
    const responses = await Promise.all([1, 2, 3].map(() => send(new File([png], 'race.png'), 'upload-race')))
    const made = responses.filter(({ status }) => status === 201)
    expect(new Set(made.map(({ body }) => body.data._id)).size).toBe(1)
    for (const { status, body } of responses.filter((response) => response.status !== 201))
      expect([status, body.code]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS'])
    const due = await running.service.storage.system.across.dueAttachments.due(
      '2999-01-01T00:00:00.000Z',
      1000,
    )
    expect(due.filter(({ row }) => row.filename === 'race.png')).toHaveLength(1)
  })
})

describe('a message', () => {
  it('carries its files in its own order, and its events do too', async () => {
    const files = [await photo(), await photo()].reverse()
    const conversationId = await newConversation()
    const response = await post(messagesOf(conversationId), {
      content: 'See these',
      attachments: files.map(({ _id }) => _id),
    })
    expect(response.status).toBe(201)
    expect(response.body.data.attachments).toEqual(files)
    const { body } = await call(url, { path: messagesOf(conversationId), token })
    expect(body.data[0].attachments).toEqual(files)
    await expect
      .poll(async () => {
        const log = await call(url, { path: '/api/v1/events?types=message.sent&limit=100', token })
        return log.body.data.find(
          (event: { data: { _id: string } }) => event.data._id === response.body.data._id,
        )?.data.attachments
      })
      .toEqual(files)
    for (const { _id } of files) expect((await download(_id)).status).toBe(200)
  })

  it('carries them from the start of a conversation', async () => {
    const file = await photo()
    const conversationId = await newConversation({ message: { content: 'Look', attachments: [file._id] } })
    const { body } = await call(url, { path: messagesOf(conversationId), token })
    expect(body.data[0].attachments).toEqual([file])
  })

  it('accepts a file that no other message has', async () => {
    const [file, conversationId] = [await photo(), await newConversation()]
    const send = () => post(messagesOf(conversationId), { content: 'Again', attachments: [file._id] })
    const responses = await Promise.all([send(), send(), send()])
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 422, 422])
    const refused = responses.find(({ status }) => status === 422)
    expect(refused?.body.details).toMatchObject([{ field: 'attachments.0', rule: 'reference', in: 'body' }])
    const { body } = await call(url, { path: messagesOf(conversationId), token })
    expect(body.data).toHaveLength(1)
  })

  it('names every file that it cannot use', async () => {
    const [file, conversationId] = [await photo(), await newConversation()]
    const attachments = ['att_unknown', file._id, file._id, '']
    const response = await post(messagesOf(conversationId), { content: 'x', attachments })
    expect(response.body.details.map(({ field, rule }: Record<string, string>) => [field, rule])).toEqual([
      ['attachments.0', 'reference'],
      ['attachments.2', 'duplicate'],
      ['attachments.3', 'reference'],
    ])
    const eleven = Array.from({ length: 11 }, (_, i) => `att_${i}`)
    const tooMany = await post(messagesOf(conversationId), { content: 'x', attachments: eleven })
    expect(tooMany.body.details).toMatchObject([{ field: 'attachments', rule: 'max' }])
  })
})

describe('a file that is no longer visible', () => {
  it.each(['conversations', 'customers'])(
    'of a deleted %s is hidden at once, and its bytes are removed from the disk later',
    async (kind) => {
      const customer = await post('/api/v1/customers', { firstName: 'Ada' })
      const customerId = customer.body.data._id
      const file = await photo()
      const conversationId = await newConversation({
        customerId,
        message: { content: 'My passport', attachments: [file._id], direction: 'inbound' },
      })
      const target = kind === 'customers' ? customerId : conversationId
      const removed = await call(url, { method: 'DELETE', path: `/api/v1/${kind}/${target}`, token })
      expect(removed.status).toBe(200)
      expect((await download(file._id)).status).toBe(404)
      await expect.poll(() => rowOf(file._id)).toBeUndefined()
      expect(await bytesOf(file._id)).toBeUndefined()
    },
  )

  it('is removed after a day when no message has it, and stays when one has', async () => {
    const [unused, used] = [await photo(), await photo()]
    const conversationId = await newConversation()
    await post(messagesOf(conversationId), { content: 'Here', attachments: [used._id] })
    await removeDue(23 * hourMs)
    expect((await download(unused._id)).status).toBe(200)
    await removeDue(25 * hourMs)
    expect((await download(unused._id)).status).toBe(404)
    expect(await rowOf(unused._id)).toBeUndefined()
    expect(await bytesOf(unused._id)).toBeUndefined()
    expect((await download(used._id)).status).toBe(200)
    const late = await post(messagesOf(conversationId), { content: 'Late', attachments: [unused._id] })
    expect(late.body.details).toMatchObject([{ field: 'attachments.0', rule: 'reference' }])
  })

  it('is either removed or taken by a message, whichever comes first', async () => {
    const conversationId = await newConversation()
    for (let round = 0; round < 8; round++) {
      const file = await photo()
      const [response] = await Promise.all([
        post(messagesOf(conversationId), { content: 'Now', attachments: [file._id] }),
        removeDue(25 * hourMs),
      ])
      const isTaken = response.status === 201
      expect([response.status, (await download(file._id)).status]).toEqual(isTaken ? [201, 200] : [422, 404])
    }
  })

  it('is removed once by many simultaneous calls', async () => {
    const files = await Promise.all([photo(), photo(), photo()])
    await Promise.all([removeDue(25 * hourMs), removeDue(25 * hourMs), removeDue(25 * hourMs)])
    for (const { _id } of files) expect(await rowOf(_id)).toBeUndefined()
  })

  it('is interrupted, with one line of the log that names it, when its bytes are lost while it is sent', async () => {
    const file = await photo()
    const { attachments } = running.service
    // As they were when the response began.
    const size = vi.spyOn(attachments, 'sizeOf').mockResolvedValue(png.length)
    await attachments.write({ tenantId, id: file._id }, Readable.from([png.subarray(1)]))
    const logged = vi.spyOn(running.service.log, 'error')
    await expect(download(file._id)).rejects.toThrow()
    const fields = logged.mock.calls.map(([entry]) => entry)
    expect(fields).toEqual([expect.objectContaining({ download: `attachment ${file._id}` })])
    size.mockRestore()
    logged.mockRestore()
  })

  it.each([
    [
      'fewer bytes than its row says',
      [png.subarray(1)],
      `${png.length - 1} bytes are stored instead of ${png.length}`,
    ],
    [
      'more bytes than its row says',
      [png, png],
      `${png.length * 2} bytes are stored instead of ${png.length}`,
    ],
    ['no bytes', undefined, 'its bytes are missing'],
  ])(
    'is a 500 before the first byte when it has %s, and one line of the log names it',
    async (_, stored, defect) => {
      const file = await photo()
      const key = { tenantId, id: file._id }
      const { attachments } = running.service
      await (stored ? attachments.write(key, Readable.from(stored)) : attachments.remove(key))
      for (const method of ['GET', 'HEAD']) {
        const logged = collectErrors()
        const answer = await fetch(`${url}${path}/${file._id}`, {
          method,
          headers: { authorization: `Bearer ${token}` },
        })
        expect(answer.status).toBe(500)
        if (method === 'GET')
          expect(await answer.json()).toMatchObject({ success: false, code: 'INTERNAL_ERROR' })
        expect(logged.end()).toEqual([`The attachment ${file._id} is damaged: ${defect}`])
      }
    },
  )
})
