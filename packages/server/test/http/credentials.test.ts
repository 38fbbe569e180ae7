import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { newKeyText } from '@crmkit/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { startService } from '../support/start-service.ts'
import { useService } from '../support/use-service.ts'

const secret = 'the tests sign the tokens of sessions with this'
const customers = '/api/v1/customers'

const running = useService({ CRM_JWT_SECRET: secret })
let owner: Awaited<ReturnType<typeof registerTenant>>
let token: string
let key: string
beforeAll(async () => {
  owner = await registerTenant(running.url)
  token = owner.token
  key = await createKey(running.url, token, ['read:customers'])
})

async function ask(headers: Record<string, string>, path = customers) {
  const response = await call(running.url, { path, headers })
  return [response.status, response.body.code]
}
const bearer = (text: string) => ({ authorization: `Bearer ${text}` })
const flipped = (text: string, at: number) =>
  text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
const base64url = (text: string) => Buffer.from(text).toString('base64url')
const encoded = (value: object) => base64url(JSON.stringify(value))
const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
const parts = () => token.split('.') as [string, string, string]
const claims = () => decoded(parts()[1])
const header = () => decoded(parts()[0])

interface Signing {
  head?: object
  /** Claims that differ from the real token's; undefined takes one away. */
  body?: object
  /** The claims as text, for claims that no object can express. */
  text?: string
  hash?: string
  with?: string
}

/** The server's own token with some parts replaced, signed anew with the server's own secret. */
function signed({ head, body, text, hash = 'sha256', with: used = secret }: Signing = {}): string {
  const start = `${encoded({ ...header(), ...head })}.${text === undefined ? encoded({ ...claims(), ...body }) : base64url(text)}`
  return `${start}.${createHmac(hash, used).update(start).digest('base64url')}`
}
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
const textWith = (from: string | RegExp, to: string) => JSON.stringify(claims()).replace(from, to)

describe('a session token', () => {
  it('signed by these tests equals the server’s own, byte for byte: every case below differs only in its mutation [auth.session]', async () => {
    expect(signed()).toBe(token)
    expect(await ask(bearer(token))).toEqual([200, undefined])
    expect(await ask(bearer(signed({ body: { jti: 'another' } })))).toEqual([200, undefined])
  })

  describe.each<[string, [string, () => string][]]>([
    [
      'with a changed text',
      [
        ['cut by a character', () => token.slice(0, -1)],
        ['with a character of the header changed', () => flipped(token, 5)],
        ['with a character of the claims changed', () => flipped(token, parts()[0].length + 8)],
        ['with a character of the signature changed', () => flipped(token, token.length - 10)],
        ['with another spelling of its signature', () => otherSpelling(token)],
        ['without a signature', () => `${parts()[0]}.${parts()[1]}.`],
        ['of two parts', () => `${parts()[0]}.${parts()[1]}`],
        ['of four parts', () => `${token}.x`],
        ['of five parts, as an encrypted one has', () => `${token}.x.y`],
        ['with bytes behind it', () => `${token}AAAA`],
        ['with padding behind it', () => `${token}=`],
        ['with its parts in another order', () => parts().reverse().join('.')],
        ['in base64 with padding', () => asBase64(token)],
        ['in upper case', () => token.toUpperCase()],
        ['with a blank inside', () => token.replace('.', ' .')],
        ['with an escaped line break inside', () => token.replace('.', '.%0A')],
        ['in quotes', () => `"${token}"`],
        ['of twelve thousand characters', () => `${parts()[0]}.${'A'.repeat(12_000)}.${parts()[2]}`],
      ],
    ],
    [
      'with changed claims under the old signature',
      [
        ['to a longer life', () => withClaims({ exp: 9e9 })],
        ['to another tenant', () => withClaims({ tid: 'ten_x' })],
        ['to another user', () => withClaims({ sub: 'usr_x' })],
        ['to another kid', () => `${encoded({ ...header(), kid: 'x' })}.${parts()[1]}.${parts()[2]}`],
      ],
    ],
    [
      'of another algorithm or key',
      [
        ['none', () => `${encoded({ ...header(), alg: 'none' })}.${parts()[1]}.`],
        ['none, with a signature', () => signed({ head: { alg: 'none' } })],
        ['None', () => `${encoded({ ...header(), alg: 'None' })}.${parts()[1]}.`],
        ['HS384 with the same secret', () => signed({ head: { alg: 'HS384' }, hash: 'sha384' })],
        ['HS512 with the same secret', () => signed({ head: { alg: 'HS512' }, hash: 'sha512' })],
        ['RS256 by name only', () => signed({ head: { alg: 'RS256' } })],
        ['RS256 with a key of the caller', () => rsaSigned()],
        ['hs256 in small letters', () => signed({ head: { alg: 'hs256' } })],
        ['no algorithm', () => signed({ head: { alg: undefined } })],
        ['another secret', () => signed({ with: 'another secret of the same length, or nearly' })],
        ['an empty secret', () => signed({ with: '' })],
        ['a key of the caller in the header', () => signed({ head: { jwk: ownKey }, with: 'mine' })],
        [
          'a key at an address of the caller',
          () => signed({ head: { jku: 'https://x.example/' }, with: 'mine' }),
        ],
        ['an unknown kid', () => signed({ head: { kid: 'unknown' } })],
        ['no kid', () => signed({ head: { kid: undefined } })],
        ['a kid that is a path', () => signed({ head: { kid: '../../../../dev/null' }, with: '' })],
        ['a kid that is a number', () => signed({ head: { kid: 1 } })],
        ['a kid that is a list', () => signed({ head: { kid: [header().kid] } })],
        ['a kid of the prototype', () => signed({ head: { kid: '__proto__' } })],
      ],
    ],
    [
      'that is signed with the right secret but',
      [
        ['of another issuer', () => signed({ body: { iss: 'other' } })],
        ['without an issuer', () => signed({ body: { iss: undefined } })],
        ['for another audience', () => signed({ body: { aud: 'other' } })],
        ['without an audience', () => signed({ body: { aud: undefined } })],
        ['without an end', () => signed({ body: { exp: undefined } })],
        ['past its end', () => signed({ body: { iat: inSeconds(-901), exp: inSeconds(-1) } })],
        ['of more than 900 seconds', () => signed({ body: { exp: claims().iat + 901 } })],
        ['with an end that is a text', () => signed({ body: { exp: String(claims().exp) } })],
        ['with an end before its time', () => signed({ body: { exp: -1 } })],
        ['with an infinite end', () => signed({ text: textWith(/"exp":\d+/, '"exp":1e999') })],
        ['without a beginning', () => signed({ body: { iat: undefined } })],
        ['from the future', () => signed({ body: { iat: inSeconds(600), exp: inSeconds(1500) } })],
        ['not valid yet', () => signed({ body: { nbf: inSeconds(600) } })],
        ['without a session', () => signed({ body: { sid: undefined } })],
        ['of an unknown session', () => signed({ body: { sid: 'ses_01J8ZZZZZZZZZZZZZZZZZZZZZZ' } })],
        ['of a session that is an object', () => signed({ body: { sid: { $ne: null } } })],
        ['without an id', () => signed({ body: { jti: undefined } })],
        ['without a tenant', () => signed({ body: { tid: undefined } })],
        ['of another tenant', () => signed({ body: { tid: 'ten_01J8ZZZZZZZZZZZZZZZZZZZZZZ' } })],
        ['of another user', () => signed({ body: { sub: 'usr_01J8ZZZZZZZZZZZZZZZZZZZZZZ' } })],
        ['without a user', () => signed({ body: { sub: undefined } })],
        ['of a role that does not exist', () => signed({ body: { role: 'root' } })],
        ['of a list of roles', () => signed({ body: { role: ['owner'] } })],
        ['with a tenant named twice', () => signed({ text: textWith(/\}$/, ',"tid":"ten_x"}') })],
        ['of claims that are a text', () => signed({ text: JSON.stringify('claims') })],
        ['of claims that are a list', () => signed({ text: JSON.stringify([claims()]) })],
        ['of claims inside claims', () => signed({ text: JSON.stringify({ claims: claims() }) })],
        ['of claims that are no JSON', () => signed({ text: '{' })],
        ['of no claims', () => signed({ text: '' })],
        ['a token inside a token', () => signed({ text: token })],
      ],
    ],
    [
      'that is something else:',
      [
        ['a refresh token', () => owner.refreshToken],
        ['nothing', () => '.'],
        ['two dots', () => '..'],
      ],
    ],
  ])('%s', (_group, mutations) => {
    it.each(mutations)('(%s) is refused with AUTH_REQUIRED [auth.session]', async (_name, made) => {
      expect(made()).not.toBe(token)
      expect(await ask(bearer(made()))).toEqual([401, 'AUTH_REQUIRED'])
    })
  })

  it('is no API key', async () => {
    expect(await ask({ 'x-api-key': token })).toEqual([401, 'API_KEY_INVALID'])
    expect(await ask(bearer(token))).toEqual([200, undefined])
  })

  it('is taken from the header only: not from the address, a cookie or another scheme', async () => {
    for (const name of ['access_token', 'token', 'authorization', 'jwt'])
      expect(await ask({}, `${customers}?${name}=${token}`)).toEqual([401, 'AUTH_REQUIRED'])
    for (const headers of [
      { cookie: `access_token=${token}; token=${token}` },
      { authorization: token },
      { authorization: `Token ${token}` },
      { authorization: `Bearer${token}` },
      { authorization: `Bearer ${token} ${token}` },
      { authorization: `Bearer ${token}, Bearer ${token}` },
      { authorization: 'Bearer' },
      { 'proxy-authorization': `Bearer ${token}` },
    ])
      expect(await ask(headers as Record<string, string>)).toEqual([401, 'AUTH_REQUIRED'])
    expect(await ask({ authorization: `bearer   ${token}` })).toEqual([200, undefined])
  })

  it('has the permissions of the role that its user has now, whatever role it names', async () => {
    const { userId, token: agents } = await addColleague(running, {
      tenantId: owner.tenant._id,
      role: 'agent',
    })
    const [, body = ''] = agents.split('.')
    const asOwner = signed({ body: { ...decoded(body), role: 'owner' } })
    expect(await ask(bearer(asOwner))).toEqual([200, undefined])
    expect(await ask(bearer(asOwner), '/api/tenant/api-keys')).toEqual([403, 'PERMISSION_DENIED'])
    const elsewhere = signed({ body: { sub: userId } })
    expect(await ask(bearer(elsewhere))).toEqual([401, 'AUTH_REQUIRED'])
  })

  it('of a session that has ended is refused with AUTH_REQUIRED', async () => {
    const ended = await registerTenant(running.url)
    expect(await ask(bearer(ended.token))).toEqual([200, undefined])
    await call(running.url, { method: 'POST', path: '/api/auth/logout', token: ended.token })
    expect(await ask(bearer(ended.token))).toEqual([401, 'AUTH_REQUIRED'])
  })
})

const ownKey = { kty: 'oct', alg: 'HS256', k: base64url('mine') }

/** The last character of 256 bits in base64url holds two unused bits. */
function otherSpelling(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return text.slice(0, -1) + alphabet[alphabet.indexOf(text.at(-1) ?? '') ^ 1]
}
const asBase64 = (text: string) =>
  text
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString('base64'))
    .join('.')
const withClaims = (other: object) => `${parts()[0]}.${encoded({ ...claims(), ...other })}.${parts()[2]}`

function rsaSigned(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const start = `${encoded({ ...header(), alg: 'RS256' })}.${parts()[1]}`
  return `${start}.${sign('sha256', Buffer.from(start), privateKey).toString('base64url')}`
}

describe('an API key', () => {
  it('with one changed character after its prefix is refused with API_KEY_INVALID [error.keyInvalid]', async () => {
    for (let at = 'sk_'.length; at < key.length; at++)
      expect(await ask(bearer(flipped(key, at))), `character ${at}`).toEqual([401, 'API_KEY_INVALID'])
    expect(await ask(bearer(key))).toEqual([200, undefined])
  })

  it.each<[string, () => string]>([
    ['cut', () => key.slice(0, -1)],
    ['with a character more', () => `${key}0`],
    ['in upper case', () => `sk_live_${key.slice(8).toUpperCase()}`],
    ['of the other kind', () => key.replace('sk_live_', 'sk_test_')],
    ['that is only a prefix', () => 'sk_live_'],
    ['that was never made', () => newKeyText('production').key],
  ])('%s is refused with API_KEY_INVALID, in either header [error.keyInvalid]', async (_name, made) => {
    expect(await ask(bearer(made()))).toEqual([401, 'API_KEY_INVALID'])
    expect(await ask({ 'x-api-key': made() })).toEqual([401, 'API_KEY_INVALID'])
  })

  it.each<[string, () => Record<string, string>]>([
    ['under another scheme', () => ({ authorization: `Basic ${key}` })],
    ['without a scheme', () => ({ authorization: key })],
    ['with words behind it', () => bearer(`${key} and more`)],
    ['beside another key', () => ({ ...bearer(key), 'x-api-key': newKeyText('production').key })],
    ['beside a session', () => ({ ...bearer(token), 'x-api-key': key })],
    ['that is empty', () => ({ 'x-api-key': '' })],
  ])('sent %s is refused with AUTH_REQUIRED', async (_name, made) => {
    expect(await ask(made())).toEqual([401, 'AUTH_REQUIRED'])
  })

  it('for tests is refused in production, and every live key is accepted in staging [auth.testKeys]', async () => {
    const body = { name: 'Test', permissions: ['read:customers'], environment: 'staging' }
    const made = await call(running.url, { method: 'POST', path: '/api/tenant/api-keys', token, body })
    expect(await ask(bearer(made.body.data.key))).toEqual([200, undefined])
    const production = await startService({
      CRM_ENVIRONMENT: 'production',
      CRM_JWT_SECRET: secret,
      CRM_SECRETS_KEY: secret,
      CRM_REGISTRATION: 'open',
    })
    try {
      const owner = await registerTenant(production.url)
      const keys = '/api/tenant/api-keys'
      const test = await call(production.url, { method: 'POST', path: keys, token: owner.token, body })
      const response = await call(production.url, { path: customers, token: test.body.data.key })
      expect([response.status, response.body.code]).toEqual([401, 'API_KEY_INVALID'])
    } finally {
      await production.stop()
    }
  })

  it('with several faults is refused for the first of invalid, inactive, expired, suspended [state.keyExpired error.keyExpired error.keyInactive error.tenantSuspended]', async () => {
    const { token: session, tenant } = await registerTenant(running.url)
    const send = (method: string, path: string, body?: object) =>
      call(running.url, { method, path, token: session, body })
    const expiresAt = new Date(Date.now() + 3_000).toISOString()
    const keys = '/api/tenant/api-keys'
    const made = await send('POST', keys, { name: 'All', permissions: ['read:customers'], expiresAt })
    const mine = bearer(made.body.data.key)
    const path = `${keys}/${made.body.data._id}`
    expect(await ask(mine)).toEqual([200, undefined])
    await send('PUT', path, { isActive: false })
    const suspend = async (isSuspended: boolean) => {
      const { system } = running.service.storage
      const { version = 0 } = (await system.findTenant(tenant._id)) ?? {}
      await system.commit(tenant._id, {
        writes: [
          { op: 'update', kind: 'tenants', id: tenant._id, expectVersion: version, set: { isSuspended } },
        ],
        events: [],
      })
    }
    await suspend(true)
    while (new Date().toISOString() <= expiresAt) await ask({})
    expect(await ask(bearer(flipped(made.body.data.key, 12)))).toEqual([401, 'API_KEY_INVALID'])
    expect(await ask(mine)).toEqual([401, 'API_KEY_INACTIVE'])
    expect(await ask(bearer(session))).toEqual([401, 'TENANT_SUSPENDED'])
    await suspend(false)
    await send('PUT', path, { isActive: true })
    await suspend(true)
    expect(await ask(mine)).toEqual([401, 'API_KEY_EXPIRED'])
    await suspend(false)
    await send('PUT', path, { expiresAt: null })
    await suspend(true)
    expect(await ask(mine)).toEqual([401, 'TENANT_SUSPENDED'])
    await suspend(false)
    expect(await ask(mine)).toEqual([200, undefined])
    await send('DELETE', path)
    expect(await ask(mine)).toEqual([401, 'API_KEY_INVALID'])
  })

  it('is refused with AUTH_REQUIRED when its header comes twice, alike or not', async () => {
    const twice = async (name: string, values: string[]) => {
      const req = request(running.url + customers, { headers: { [name]: values }, agent: false })
      req.end()
      const [res] = (await once(req, 'response')) as [IncomingMessage]
      return [res.statusCode, (await json(res)) as { code?: string }] as const
    }
    const other = newKeyText('production').key
    for (const values of [
      [key, other],
      [other, key],
      [key, key],
    ]) {
      const bearers = values.map((value) => `Bearer ${value}`)
      expect(await twice('Authorization', bearers)).toMatchObject([401, { code: 'AUTH_REQUIRED' }])
      expect(await twice('X-API-Key', values)).toMatchObject([401, { code: 'AUTH_REQUIRED' }])
    }
    expect(await twice('Authorization', [`Bearer ${key}`])).toMatchObject([200, { success: true }])
  })

  it.each([
    [['192.0.2.1'], 403],
    [['192.0.2.0/24', '2001:db8::/32'], 403],
    [['127.0.0.2'], 403],
    [['127.0.0.1'], 200],
    [['127.0.0.0/8'], 200],
    [['::ffff:127.0.0.1'], 200],
    [['192.0.2.1', '127.0.0.1/32'], 200],
    [['0.0.0.0/0'], 200],
    [[], 200],
  ])(
    'for the addresses %j gets the response to 127.0.0.1 with status %i [auth.whitelist]',
    async (ipWhitelist, status) => {
      const body = { name: 'Key', permissions: ['read:customers'], ipWhitelist }
      const made = await call(running.url, { method: 'POST', path: '/api/tenant/api-keys', token, body })
      expect(made.status).toBe(201)
      expect((await ask(bearer(made.body.data.key)))[0]).toBe(status)
    },
  )
})
