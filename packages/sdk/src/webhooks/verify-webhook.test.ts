import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { unwrapWebhook } from './unwrap-webhook.ts'
import { type VerifyOptions, verifyWebhook } from './verify-webhook.ts'
import type { HeadersSource, WebhookInput } from './webhook-input.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const id = 'evt_1'
const nowSeconds = 1_700_000_000
const now = () => nowSeconds * 1000
const event = {
  id,
  event: 'customer.created',
  timestamp: '2023-11-14T22:13:20.000Z',
  data: { _id: 'cus_1', n: '✓' },
}
const body = JSON.stringify(event)

/** Signs with Node's HMAC alone, so that the tests do not believe the code under test. */
function trio(text = body, { at = nowSeconds, by = [secret] }: { at?: number; by?: string[] } = {}) {
  const sign = (one: string) => {
    const key = Buffer.from(one.slice('whsec_'.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${at}.${text}`).digest('base64')}`
  }
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': by.map(sign).join(' ') }
}

function plain(text = body, by = secret) {
  return { 'x-webhook-signature': `sha256=${createHmac('sha256', by).update(text).digest('hex')}` }
}

async function codeOf(input: WebhookInput, options: Partial<VerifyOptions> = {}): Promise<string> {
  return verifyWebhook(input, { secrets: secret, now, ...options }).then(
    ({ verified }) => `accepted by ${verified}`,
    ({ code }) => String(code),
  )
}

describe('an accepted delivery', () => {
  it('accepts the signature of the service and reports its kind', async () => {
    expect(await verifyWebhook({ body, headers: trio() }, { secrets: secret, now })).toEqual({
      verified: 'standard',
      body,
      id,
      timestamp: nowSeconds,
    })
  })

  it.each<[string, HeadersSource]>([
    ['a Headers object', new Headers(trio())],
    ['a record', trio()],
    [
      'a record in another case',
      Object.fromEntries(Object.entries(trio()).map(([k, v]) => [k.toUpperCase(), v])),
    ],
    ['a record of arrays', Object.fromEntries(Object.entries(trio()).map(([k, v]) => [k, [v]]))],
  ])('takes headers as %s', async (_, headers) => {
    expect(await codeOf({ body, headers })).toBe('accepted by standard')
  })

  it('takes the body as bytes, and from a web Request', async () => {
    expect(await codeOf({ body: Buffer.from(body), headers: trio() })).toBe('accepted by standard')
    const request = new Request('http://x', { method: 'POST', body, headers: trio() })
    expect(await codeOf(request)).toBe('accepted by standard')
  })

  it('reads a Node request itself', async () => {
    const codes: string[] = []
    const server = createServer(async (request, response) => {
      codes.push(await codeOf(request))
      codes.push(await codeOf(request))
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers: trio() })
    server.close()
    expect(codes).toEqual(['accepted by standard', 'body_already_parsed'])
  })

  it('accepts any of several secrets, and any of several signatures', async () => {
    expect(await codeOf({ body, headers: trio() }, { secrets: [other, secret] })).toBe('accepted by standard')
    const both = trio(body, { by: [other, secret] })
    expect(await codeOf({ body, headers: both })).toBe('accepted by standard')
    expect(await codeOf({ body, headers: both }, { secrets: other })).toBe('accepted by standard')
  })
})

describe('a refused delivery', () => {
  it('refuses every single changed byte of body, id and time', async () => {
    for (let i = 0; i < body.length; i++) {
      const changed = body.slice(0, i) + String.fromCharCode(body.charCodeAt(i) ^ 1) + body.slice(i + 1)
      expect(await codeOf({ body: changed, headers: trio() }), `byte ${i}`).toBe('mismatch')
    }
    expect(await codeOf({ body, headers: { ...trio(), 'webhook-id': 'evt_2' } })).toBe('mismatch')
    expect(await codeOf({ body, headers: { ...trio(), 'webhook-timestamp': String(nowSeconds + 1) } })).toBe(
      'mismatch',
    )
  })

  it('refuses another secret, a cut signature, an empty one and one of another version', async () => {
    const { 'webhook-signature': signature } = trio()
    const withSignature = (text: string) => ({ body, headers: { ...trio(), 'webhook-signature': text } })
    expect(await codeOf({ body, headers: trio() }, { secrets: other })).toBe('mismatch')
    expect(await codeOf(withSignature(signature.slice(0, -4)))).toBe('mismatch')
    expect(await codeOf(withSignature('v1,'))).toBe('mismatch')
    expect(await codeOf(withSignature(signature.replace('v1,', 'v1a,')))).toBe('bad_format')
    expect(await codeOf(withSignature(''))).toBe('missing_header')
  })

  it('refuses JSON that was parsed and serialised again', async () => {
    const spaced = '{ "id": "evt_1", "event": "x", "n": 1.0 }'
    const again = JSON.stringify(JSON.parse(spaced))
    expect(await codeOf({ body: spaced, headers: trio(spaced) })).toBe('accepted by standard')
    expect(await codeOf({ body: again, headers: trio(spaced) })).toBe('mismatch')
  })

  it('refuses a parsed object, with the likely cause', async () => {
    // Express with express.json(): the object stands where the raw body should.
    const input = { body: event, headers: trio() } as unknown as WebhookInput
    const error = await verifyWebhook(input, { secrets: secret, now }).catch((e) => e)
    expect(error.code).toBe('body_already_parsed')
    expect(error.message).toContain('before parsers, or use express.raw')
  })

  it('refuses a web Request whose body was read before', async () => {
    const request = new Request('http://x', { method: 'POST', body, headers: trio() })
    await request.json()
    expect(await codeOf(request)).toBe('body_already_parsed')
  })

  it('refuses a signature that is more than 300 seconds old or early, to the second', async () => {
    const at = (seconds: number) => codeOf({ body, headers: trio(body, { at: nowSeconds + seconds }) })
    expect(await at(-300)).toBe('accepted by standard')
    expect(await at(-301)).toBe('too_old')
    expect(await at(300)).toBe('accepted by standard')
    expect(await at(301)).toBe('too_new')
  })

  it('uses the tolerance of the options', async () => {
    const input = { body, headers: trio(body, { at: nowSeconds - 301 }) }
    expect(await codeOf(input, { toleranceSeconds: 600 })).toBe('accepted by standard')
    expect(await codeOf({ body, headers: trio(body, { at: nowSeconds - 2 }) }, { toleranceSeconds: 1 })).toBe(
      'too_old',
    )
  })

  it('reports a wrong signature before a wrong time', async () => {
    const headers = { ...trio(), 'webhook-timestamp': '1000000000' }
    expect(await codeOf({ body, headers })).toBe('mismatch')
  })

  it.each(['', 'now', '1.7e9', '-1700000000', '01700000000', '1700000000.5', '0x6553f100'])(
    'refuses the timestamp "%s"',
    async (text) => {
      const headers = { ...trio(), 'webhook-timestamp': text }
      expect(await codeOf({ body, headers })).toBe(text === '' ? 'missing_header' : 'bad_format')
    },
  )

  it.each([[undefined], [''], ['whsec_'], ['plain text'], [` ${secret}`], [[]], [[secret, '']]])(
    'refuses to verify with the secret %j',
    async (secrets) => {
      expect(await codeOf({ body, headers: trio() }, { secrets })).toBe('bad_format')
    },
  )

  it('never shows a secret or the body in a message', async () => {
    const error = await verifyWebhook({ body, headers: trio() }, { secrets: other, now }).catch((e) => e)
    expect(String(error.stack)).not.toContain(other.slice(6))
    expect(String(error.stack)).not.toContain('cus_1')
  })
})

describe('a body that is too long', () => {
  const megabyte = 1024 * 1024
  /** Unsigned, and without an end of its own. */
  function endless(onPull: () => void, onCancel: () => void) {
    const chunk = new Uint8Array(64 * 1024)
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        onPull()
        controller.enqueue(chunk)
      },
      cancel: onCancel,
    })
  }

  it('of a web Request is cut off at the bound, and its sender is asked to stop', async () => {
    let pulls = 0
    let isCancelled = false
    const stream = endless(
      () => (pulls += 1),
      () => (isCancelled = true),
    )
    const request = new Request('http://x', { method: 'POST', body: stream, duplex: 'half' } as RequestInit)
    expect(await codeOf(request)).toBe('too_large')
    expect(pulls).toBeLessThan((1.5 * megabyte) / (64 * 1024))
    expect(isCancelled).toBe(true)
  })

  it.each([
    ['announced', { 'content-length': `${300 * megabyte}` }],
    ['not announced', { 'transfer-encoding': 'chunked' }],
  ])(
    'of a Node request is read no further when its length is %s, and the refusal arrives',
    async (_, headers) => {
      const read: number[] = []
      const server = createServer(async (request, response) => {
        const code = await codeOf(request)
        read.push(request.socket.bytesRead)
        response.writeHead(400, { connection: 'close' }).end(code)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      const client = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers })
      client.on('error', () => {})
      const chunk = new Uint8Array(64 * 1024)
      const sendOn = () => {
        while (client.write(chunk));
      }
      client.on('drain', sendOn)
      sendOn()
      const [response] = (await once(client, 'response')) as [IncomingMessage]
      client.off('drain', sendOn)
      expect([response.statusCode, await text(response)]).toEqual([400, 'too_large'])
      expect(read[0]).toBeLessThan(2 * megabyte)
      client.destroy()
      server.close()
    },
  )

  it('is a body above bodyBytesMax, and a body that a middleware stored is not measured', async () => {
    const request = (bodyBytesMax: number) =>
      codeOf(new Request('http://x', { method: 'POST', body, headers: trio() }), { bodyBytesMax })
    expect(await request(Buffer.byteLength(body))).toBe('accepted by standard')
    expect(await request(Buffer.byteLength(body) - 1)).toBe('too_large')
    expect(await codeOf({ body, headers: trio() }, { bodyBytesMax: 1 })).toBe('accepted by standard')
  })
})

describe('a tolerance that is no number', () => {
  it('refuses every delivery instead of accepting every age', async () => {
    const old = { body, headers: trio(body, { at: nowSeconds - 86_400 }) }
    expect(await codeOf(old, { toleranceSeconds: Number.NaN })).toBe('too_old')
  })
})

describe('X-Webhook-Signature alone', () => {
  it('is refused unless undated deliveries are allowed', async () => {
    expect(await codeOf({ body, headers: plain() })).toBe('missing_header')
    expect(await codeOf({ body, headers: plain() }, { allowUndated: true })).toBe('accepted by body')
  })

  it('is refused when it is wrong, malformed or missing', async () => {
    const undated = { allowUndated: true }
    expect(await codeOf({ body: `${body} `, headers: plain() }, undated)).toBe('mismatch')
    expect(await codeOf({ body, headers: plain(body, other) }, undated)).toBe('mismatch')
    expect(await codeOf({ body, headers: { 'x-webhook-signature': 'deadbeef' } }, undated)).toBe('bad_format')
    expect(await codeOf({ body, headers: {} }, undated)).toBe('missing_header')
  })

  it('is ignored when a Standard Webhooks header is present', async () => {
    const undated = { allowUndated: true }
    expect(await codeOf({ body, headers: { ...trio(body, { by: [other] }), ...plain() } }, undated)).toBe(
      'mismatch',
    )
    expect(await codeOf({ body, headers: { 'webhook-id': id, ...plain() } }, undated)).toBe('missing_header')
  })

  it('accepts the new secret’s signature during a rotation', async () => {
    const next = plain(body, other)['x-webhook-signature']
    const headers = { ...plain(), 'x-webhook-signature-next': next }
    expect(await codeOf({ body, headers }, { allowUndated: true, secrets: other })).toBe('accepted by body')
  })
})

describe('unwrapWebhook', () => {
  it('returns the typed event', async () => {
    const unwrapped = await unwrapWebhook({ body, headers: trio() }, { secrets: secret, now })
    expect(unwrapped).toEqual(event)
  })

  it('returns an event of an unknown type as unknown, with its name', async () => {
    const text = JSON.stringify({ ...event, event: 'customer.promoted' })
    const unwrapped = await unwrapWebhook({ body: text, headers: trio(text) }, { secrets: secret, now })
    expect(unwrapped).toEqual({ ...event, event: 'unknown', eventName: 'customer.promoted' })
  })

  it.each(['null', '[]', '1', '{}', 'not json', '{"id":1,"event":"x"}'])(
    'refuses the signed body %s',
    async (text) => {
      const unwrap = unwrapWebhook({ body: text, headers: trio(text) }, { secrets: secret, now })
      await expect(unwrap).rejects.toMatchObject({ code: 'bad_format' })
    },
  )

  it('never parses an unverified body', async () => {
    const unwrap = unwrapWebhook({ body: 'not json', headers: trio() }, { secrets: secret, now })
    await expect(unwrap).rejects.toMatchObject({ code: 'mismatch' })
  })
})
