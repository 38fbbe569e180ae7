import { createHash } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { describe, expect, it } from 'vitest'
import { createSessionTokens } from './session-tokens.ts'

const secret = 'a secret of at least thirty-two bytes'
const tokens = createSessionTokens([secret])
const nowMs = Date.UTC(2026, 10, 21)
const claims = { userId: 'usr_1', tenantId: 'ten_1', sessionId: 'ses_1', role: 'agent', nowMs } as const
const good = tokens.accessToken(claims)

/** Signs a token with the service's key and header and any claims. */
function signed(payload: object, options: jwt.SignOptions = {}): string {
  const keyid = createHash('sha256').update(`kid:${secret}`).digest('base64url').slice(0, 8)
  // The library refuses members that are undefined; without them is what is meant.
  const present = JSON.parse(JSON.stringify(payload))
  return jwt.sign(present, Buffer.from(secret), { algorithm: 'HS256', keyid, ...options })
}
const iat = nowMs / 1000
const payload = {
  sub: 'usr_1',
  tid: 'ten_1',
  sid: 'ses_1',
  role: 'agent',
  iat,
  exp: iat + 900,
  iss: 'crmkit',
  aud: 'crmkit-api',
  jti: '1',
}
const [head = '', body = '', signature = ''] = good.split('.')
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const unsigned = { alg: 'none', typ: 'JWT', kid: JSON.parse(Buffer.from(head, 'base64url').toString()).kid }

describe('access tokens', () => {
  it('are accepted with their claims until the second in which they expire [auth.sessionLife]', () => {
    expect(tokens.verify(good, nowMs)).toEqual({
      userId: 'usr_1',
      tenantId: 'ten_1',
      sessionId: 'ses_1',
      role: 'agent',
      expiresAt: iat + 900,
    })
    expect(tokens.verify(good, nowMs + 899_999)).toBeDefined()
    expect(tokens.verify(good, nowMs + 900_000)).toBeUndefined()
    expect(tokens.verify(signed(payload), nowMs)).toBeDefined()
  })

  it('are accepted from a server whose clock is up to a minute ahead', () => {
    expect(tokens.verify(good, nowMs - 60_000)).toBeDefined()
    expect(tokens.verify(good, nowMs - 61_000)).toBeUndefined()
  })

  it.each<[string, string]>([
    ['empty', ''],
    ['not a token', 'x'],
    ['cut before the signature', `${head}.${body}`],
    ['without its signature', `${head}.${body}.`],
    [
      'with the last character of the signature changed',
      good.slice(0, -2) + (good.at(-2) === 'A' ? 'B' : 'A') + good.slice(-1),
    ],
    ['with another body', `${head}.${encode({ ...payload, role: 'owner' })}.${signature}`],
    ['with another tenant in the body', `${head}.${encode({ ...payload, tid: 'ten_2' })}.${signature}`],
    ['with alg none', `${encode(unsigned)}.${body}.`],
    ['with alg none and a signature', `${encode(unsigned)}.${body}.${signature}`],
    ['with alg NONE', `${encode({ ...unsigned, alg: 'NONE' })}.${body}.`],
    ['with alg HS512', signed(payload, { algorithm: 'HS512' })],
    ['with alg HS384', signed(payload, { algorithm: 'HS384' })],
    [
      'signed with another secret',
      jwt.sign(payload, 'another secret of thirty-two bytes!!', { keyid: unsigned.kid }),
    ],
    ['signed with an empty secret', `${head}.${body}.${createHash('sha256').update('').digest('base64url')}`],
    ['with an unknown kid', signed(payload, { keyid: 'unknown' })],
    ['with a kid that is a path', signed(payload, { keyid: '../../etc/passwd' })],
    ['without a kid', jwt.sign(payload, Buffer.from(secret), { algorithm: 'HS256' })],
    ['of another issuer', signed({ ...payload, iss: 'other' })],
    ['for another audience', signed({ ...payload, aud: 'other' })],
    ['without an issuer', signed({ ...payload, iss: undefined })],
    ['without an end', signed({ ...payload, exp: undefined })],
    ['that lives longer than 900 seconds', signed({ ...payload, exp: iat + 901 })],
    ['that has expired', signed({ ...payload, iat: iat - 1000, exp: iat - 100 })],
    ['that is not valid yet', signed({ ...payload, nbf: iat + 60 })],
    ['of more than a minute from now', signed({ ...payload, iat: iat + 61, exp: iat + 961 })],
    ['without an id', signed({ ...payload, jti: undefined })],
    ['with a role that does not exist', signed({ ...payload, role: 'root' })],
    ['with a role that is a list', signed({ ...payload, role: ['owner'] })],
    ['without a session', signed({ ...payload, sid: undefined })],
    ['without a tenant', signed({ ...payload, tid: undefined })],
    ['with a header that is not JSON', `${Buffer.from('{').toString('base64url')}.${body}.${signature}`],
    ...[['b64'], [], 'exp'].map((crit): [string, string] => [
      `with the critical extension ${JSON.stringify(crit)}`,
      signed(payload, { header: { alg: 'HS256', crit } as never }),
    ]),
    ['that is a refresh token', tokens.newRefreshToken('ses_1').token],
  ])('are refused when they are %s', (_name, token) => {
    expect(tokens.verify(token, nowMs)).toBeUndefined()
  })

  it('of an older secret are accepted while it is in the ring, and no longer', () => {
    const newer = 'a newer secret of thirty-two bytes or so'
    expect(createSessionTokens([newer, secret]).verify(good, nowMs)).toBeDefined()
    expect(createSessionTokens([newer]).verify(good, nowMs)).toBeUndefined()
  })
})

describe('refresh tokens', () => {
  it('always rotate to the same child, which names the same session', () => {
    const { token } = tokens.newRefreshToken('ses_1')
    const child = tokens.childOf(token)
    expect(tokens.childOf(token)).toEqual(child)
    expect(child.token).not.toBe(token)
    expect(tokens.sessionOf(child.token)).toBe('ses_1')
  })

  it('that were forged or changed name no session', () => {
    const { token } = tokens.newRefreshToken('ses_1')
    for (const bad of ['', 'rt_', `${token}x`, token.replace('ses_1', 'ses_2'), 'rt_ses_1.nonce.mac', good]) {
      expect(tokens.sessionOf(bad)).toBeUndefined()
    }
  })
})
