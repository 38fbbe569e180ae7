import { describe, expect, it } from 'vitest'
import { fromBase64, fromHex, toBase64, toBytes, toHex } from './bytes.ts'
import * as node from './hmac.node.ts'
import * as web from './hmac.web.ts'
import { isStandardWebhookSignature, signStandardWebhook } from './standard-webhooks.ts'
import { isWebhookBodySignature, signWebhookBody } from './webhook-signature.ts'

// Expected values from other sources: RFC 4231, the Standard Webhooks specification's example, and
// `openssl dgst -sha256 -mac HMAC` over the same bytes.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const example = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' }
const exampleSignature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
const exampleBodySignature = 'sha256=80ec8a89ce3cd22133a1066caecb4d04fea7467657c8514d717ec42c38a5c94c'
const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const unicode = { id: 'evt_1', timestamp: 1_700_000_000, body: '{"id":"evt_1","n":"Zoë ✓"}' }
const unicodeSignature = 'v1,BIVRmDkSgUKVmnZPbzCdWZCttMRqCYNX0eci2EU1f5k='
const unicodeBodySignature = 'sha256=6f313e07b27eb36f595a0dcee1eed870ad4e3cc39a58991a1b40b1f299f679d0'

const bytes = (...values: number[]) => Uint8Array.from(values)

describe.each([
  ['Node', node],
  ['web', web],
])('HMAC-SHA256 as built for %s', (_, { hmacSha256, isEqualConstantTime }) => {
  it.each([
    [
      'Jefe',
      'what do ya want for nothing?',
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
    ['\x0b'.repeat(20), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
  ])('returns the known result for the key %j', async (key, data, expected) => {
    expect(toHex(await hmacSha256(toBytes(key), toBytes(data)))).toBe(expected)
  })

  it('returns the result of the Standard Webhooks example', async () => {
    const key = fromBase64(secret.slice('whsec_'.length)) ?? bytes()
    const content = toBytes(`${example.id}.${example.timestamp}.${example.body}`)
    expect(`v1,${toBase64(await hmacSha256(key, content))}`).toBe(exampleSignature)
  })

  it('hashes only the view of a larger buffer', async () => {
    const data = new Uint8Array([9, 1, 2, 9]).subarray(1, 3)
    const key = new Uint8Array([9, 7, 8, 9]).subarray(1, 3)
    expect(toHex(await hmacSha256(key, data))).toBe(toHex(await hmacSha256(bytes(7, 8), bytes(1, 2))))
  })

  it('compares by value, and different lengths are different', () => {
    expect(isEqualConstantTime(bytes(1, 2, 3), bytes(1, 2, 3))).toBe(true)
    expect(isEqualConstantTime(bytes(1, 2, 3), bytes(1, 2, 4))).toBe(false)
    expect(isEqualConstantTime(bytes(1, 2, 3), bytes(0, 2, 3))).toBe(false)
    expect(isEqualConstantTime(bytes(1, 2, 3), bytes(1, 2))).toBe(false)
    expect(isEqualConstantTime(bytes(), bytes())).toBe(true)
  })
})

describe('the Standard Webhooks signature', () => {
  it('makes the same signature as the Standard Webhooks example and as openssl', async () => {
    expect(await signStandardWebhook(example, secret)).toBe(exampleSignature)
    expect(await signStandardWebhook(unicode, other)).toBe(unicodeSignature)
  })

  it('makes the same signature for bytes and for their text', async () => {
    expect(await signStandardWebhook({ ...unicode, body: toBytes(unicode.body) }, other)).toBe(
      unicodeSignature,
    )
  })

  it('accepts a valid signature at any position of the header', async () => {
    for (const header of [exampleSignature, `v1,AAAA ${exampleSignature}`, `${exampleSignature} v1a,AAAA`]) {
      expect(await isStandardWebhookSignature(header, { ...example, secret }), header).toBe(true)
    }
  })

  it.each([
    ['another id', { id: 'msg_other' }],
    ['another time', { timestamp: example.timestamp + 1 }],
    ['another body', { body: '{"test": 2432232315}' }],
    ['another secret', { secret: other }],
    ['a secret that is not base64', { secret: 'whsec_%%%' }],
  ])('refuses %s', async (_, change) => {
    expect(await isStandardWebhookSignature(exampleSignature, { ...example, secret, ...change })).toBe(false)
  })

  it.each(['', 'v1,', 'v1', 'v1,%%%', exampleSignature.slice(3), exampleSignature.replace('v1', 'v2')])(
    'refuses the header "%s"',
    async (header) => {
      expect(await isStandardWebhookSignature(header, { ...example, secret })).toBe(false)
    },
  )

  it('refuses to sign with a secret that is not base64', async () => {
    await expect(signStandardWebhook(example, 'whsec_%%%')).rejects.toThrow(TypeError)
  })
})

describe('X-Webhook-Signature', () => {
  it('is keyed with the secret as it was shown, prefix included [delivery.signature]', async () => {
    expect(await signWebhookBody(example.body, secret)).toBe(exampleBodySignature)
    expect(await signWebhookBody(unicode.body, other)).toBe(unicodeBodySignature)
  })

  it('is accepted in either case of its digits', async () => {
    const upper = exampleBodySignature.toUpperCase().replace('SHA256', 'sha256')
    expect(await isWebhookBodySignature(exampleBodySignature, { body: example.body, secret })).toBe(true)
    expect(await isWebhookBodySignature(upper, { body: example.body, secret })).toBe(true)
  })

  it.each([
    ['without its prefix', exampleBodySignature.slice('sha256='.length)],
    ['cut', exampleBodySignature.slice(0, -2)],
    ['of half a byte', exampleBodySignature.slice(0, -1)],
    ['empty', 'sha256='],
    ['not hexadecimal', `sha256=${'z'.repeat(64)}`],
    ['of another body', unicodeBodySignature],
  ])('is refused when it is %s', async (_, signature) => {
    expect(await isWebhookBodySignature(signature, { body: example.body, secret })).toBe(false)
  })
})

describe('bytes as text', () => {
  it('round-trips every byte', () => {
    const all = Uint8Array.from({ length: 256 }, (_, i) => i)
    expect(fromHex(toHex(all))).toEqual(all)
    expect(fromBase64(toBase64(all))).toEqual(all)
    expect(toBase64(all)).toBe(Buffer.from(all).toString('base64'))
  })

  it('returns undefined for a text that is neither hex nor base64', () => {
    expect(fromHex('abc')).toBeUndefined()
    expect(fromHex('zz')).toBeUndefined()
    expect(fromBase64('*')).toBeUndefined()
  })
})
