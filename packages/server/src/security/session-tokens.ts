import {
  createHmac,
  createSecretKey,
  hash,
  type KeyObject,
  randomBytes,
  randomUUID,
  timingSafeEqual,
} from 'node:crypto'
import { accessTokenSeconds, type Role, roles } from '@crmkit/core'
import jwt from 'jsonwebtoken'
import type { SessionTokens } from '../ports/session-tokens.ts'

const issuer = 'crmkit'
const audience = 'crmkit-api'
/** The difference of two servers' clocks from which one rejects the other's tokens as issued in the future. */
const clockSkewSeconds = 60

export interface AccessClaims {
  userId: string
  tenantId: string
  sessionId: string
  role: Role
  /** Unix seconds. */
  expiresAt: number
}

export interface TokenVerifier {
  /** Returns the claims; undefined for anything but a valid, unexpired access token of this service. */
  verify(token: string, nowMs: number): AccessClaims | undefined
}

/** The setup token has nothing but its signature: processes and restarts share it, and nothing is stored. */
const setupStart = 'set_first'

interface RingKey {
  id: string
  key: KeyObject
}

/** Short-lived access tokens (JWT, HS256) and rotating refresh tokens, from a key ring. */
export function createSessionTokens(secrets: readonly string[]): SessionTokens & TokenVerifier {
  const ring = secrets.map(ringKey)
  const [current] = ring
  if (current === undefined) throw new Error('The JWT key ring is empty')
  const keysById = new Map(ring.map(({ id, key }) => [id, key]))

  const hashOf = (token: string) => hash('sha256', token, 'hex')
  const withHash = (token: string) => ({ token, hash: hashOf(token) })
  return {
    accessToken({ userId, tenantId, sessionId, role, nowMs }) {
      const iat = Math.floor(nowMs / 1000)
      const claims = { sub: userId, tid: tenantId, sid: sessionId, role, iat, exp: iat + accessTokenSeconds }
      const options = {
        algorithm: 'HS256',
        keyid: current.id,
        issuer,
        audience,
        jwtid: randomUUID(),
      } as const
      return jwt.sign(claims, current.key, options)
    },
    newRefreshToken: (sessionId) =>
      withHash(refreshToken(current, sessionId, randomBytes(24).toString('base64url'))),
    sessionOf: (token) => refreshSessionOf(ring, token),
    childOf(parent) {
      const sessionId = refreshSessionOf(ring, parent) ?? ''
      // The child is derived, so that a parent always gives the same child and no plain token is ever stored.
      return withHash(refreshToken(current, sessionId, mac(current, `child:${parent}`)))
    },
    newInvite: ({ tenantId, userId }) =>
      withHash(signed(current, `inv_${tenantId}.${userId}.${randomBytes(24).toString('base64url')}`)),
    inviteOf(token) {
      const [, tenantId, userId] = /^inv_([^.]+)\.([^.]+)\.[^.]+$/.exec(startOf(ring, token) ?? '') ?? []
      return tenantId && userId ? { tenantId, userId } : undefined
    },
    newPasswordReset: (identityId) =>
      withHash(signed(current, `prt_${identityId}.${randomBytes(32).toString('base64url')}`)),
    resetOf: (token) => /^prt_([^.]+)\.[^.]+$/.exec(startOf(ring, token) ?? '')?.[1],
    setupToken: () => signed(current, setupStart),
    isSetupToken: (token) => startOf(ring, token) === setupStart,
    hashOf,
    verify: (token, nowMs) => verifyWith(keysById, token, nowMs),
  }
}

/** Returns `rt_<session>.<nonce>.<mac>`, which is signed to distinguish a stale token from a forged one. */
function refreshToken(key: RingKey, sessionId: string, nonce: string): string {
  return signed(key, `rt_${sessionId}.${nonce}`)
}

function refreshSessionOf(ring: readonly RingKey[], token: string): string | undefined {
  return /^rt_([^.]+)\.[^.]+$/.exec(startOf(ring, token) ?? '')?.[1]
}

function signed(key: RingKey, start: string): string {
  return `${start}.${mac(key, start)}`
}

/** Returns the part before the signature; undefined when the signature is not one of this service. */
function startOf(ring: readonly RingKey[], token: string): string | undefined {
  const dot = token.lastIndexOf('.')
  const start = token.slice(0, dot)
  const given = Buffer.from(token.slice(dot + 1))
  const isOurs = ring.some((key) => {
    const expected = Buffer.from(mac(key, start))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  return isOurs ? start : undefined
}

function mac({ key }: RingKey, text: string): string {
  return createHmac('sha256', key).update(`refresh:${text}`).digest('base64url')
}

function ringKey(secret: string): RingKey {
  const id = hash('sha256', `kid:${secret}`, 'base64url').slice(0, 8)
  // A KeyObject: with a string the library prepares the key at every call, which is 40 times slower.
  return { id, key: createSecretKey(Buffer.from(secret, 'utf8')) }
}

function verifyWith(
  keysById: ReadonlyMap<string, KeyObject>,
  token: string,
  nowMs: number,
): AccessClaims | undefined {
  const key = keysById.get(keyIdOf(token) ?? '')
  if (key === undefined) return undefined
  const clockTimestamp = Math.floor(nowMs / 1000)
  try {
    const claims = jwt.verify(token, key, { algorithms: ['HS256'], issuer, audience, clockTimestamp })
    return typeof claims === 'string' ? undefined : readClaims(claims, clockTimestamp)
  } catch {
    return undefined
  }
}

function keyIdOf(token: string): string | undefined {
  try {
    const header: unknown = JSON.parse(
      Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString('utf8'),
    )
    if (typeof header !== 'object' || header === null || !('kid' in header)) return undefined
    // A token with critical extensions is refused by a verifier that knows none. Source: RFC 7515, 4.1.11.
    if ('crit' in header) return undefined
    return typeof header.kid === 'string' ? header.kid : undefined
  } catch {
    return undefined
  }
}

function readClaims(claims: jwt.JwtPayload, nowSeconds: number): AccessClaims | undefined {
  const { sub, exp, iat, jti } = claims
  const [tid, sid, role]: unknown[] = [claims['tid'], claims['sid'], claims['role']]
  if (typeof sub !== 'string' || typeof tid !== 'string' || typeof sid !== 'string') return undefined
  if (typeof jti !== 'string' || typeof exp !== 'number' || typeof iat !== 'number') return undefined
  if (exp - iat > accessTokenSeconds || iat > nowSeconds + clockSkewSeconds) return undefined
  const known = roles.find((name) => name === role)
  return known && { userId: sub, tenantId: tid, sessionId: sid, role: known, expiresAt: exp }
}
