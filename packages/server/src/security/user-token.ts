import { createHmac, timingSafeEqual } from 'node:crypto'
import { isEmail, normalizeText } from '@crmkit/core'

/** A person who is signed in to the tenant's own server, as that server says. */
export interface SignedUser {
  /** The tenant's own id of the person. */
  sub: string
  email: string | null
  name: string | null
}

export interface VerifiedUser extends SignedUser {
  /** The secret that signed. */
  secret: string
}

const lifetimeMaxSeconds = 3_600
const clockSkewSeconds = 60
const subLengthMax = 128
const nameLengthMax = 200
const part = /^[A-Za-z0-9_-]+$/

/**
 * Verifies a JWT (HS256) that one of these secrets signed. Undefined for a wrong, expired or malformed one. The key is
 * the UTF-8 bytes of the secret as it was shown.
 */
export function verifyUserToken(
  token: string,
  { secrets, nowMs }: { secrets: readonly string[]; nowMs: number },
): VerifiedUser | undefined {
  const parts = token.split('.')
  const [header = '', payload = '', signature = ''] = parts
  if (parts.length !== 3 || !parts.every((text) => part.test(text))) return undefined
  if (!isHeader(parsed(header))) return undefined
  const secret = secrets.find((known) => isSignedBy(known, { text: `${header}.${payload}`, signature }))
  const claims = parsed(payload)
  if (secret === undefined || claims === undefined) return undefined
  const user = userOf(claims)
  return user && isTimely(claims, Math.floor(nowMs / 1000)) ? { ...user, secret } : undefined
}

type Claims = Readonly<Record<string, unknown>>

function parsed(text: string): Claims | undefined {
  try {
    const bytes = Buffer.from(text, 'base64url')
    // Another text for the same bytes is refused: a token has one form.
    if (bytes.toString('base64url') !== text) return undefined
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Claims)
      : undefined
  } catch {
    return undefined
  }
}

/** No other algorithm, and no extension that would have to be understood. */
function isHeader(header: Claims | undefined): boolean {
  return header?.['alg'] === 'HS256' && !('crit' in header)
}

function isSignedBy(secret: string, { text, signature }: { text: string; signature: string }): boolean {
  const expected = createHmac('sha256', secret).update(text).digest()
  const given = Buffer.from(signature, 'base64url')
  return given.toString('base64url') === signature && given.length === expected.length
    ? timingSafeEqual(given, expected)
    : false
}

function isTimely({ iat, exp, nbf }: Claims, now: number): boolean {
  if (!isSecond(iat) || !isSecond(exp) || exp <= iat || exp - iat > lifetimeMaxSeconds) return false
  if (nbf !== undefined && (!isSecond(nbf) || nbf > now + clockSkewSeconds)) return false
  return iat <= now + clockSkewSeconds && now < exp + clockSkewSeconds
}

function isSecond(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function userOf({ sub, email, name }: Claims): SignedUser | undefined {
  if (typeof sub !== 'string' || sub.length < 1 || sub.length > subLengthMax || !sub.isWellFormed())
    return undefined
  const signedEmail = email ?? null
  if (signedEmail !== null && (typeof signedEmail !== 'string' || !isEmail(signedEmail))) return undefined
  const signedName = nameOf(name ?? null)
  return signedName === undefined ? undefined : { sub, email: signedEmail, name: signedName }
}

/** Undefined for a value that is no name. */
function nameOf(value: unknown): string | null | undefined {
  if (value === null) return null
  if (typeof value !== 'string' || /\p{Cc}/u.test(value) || !value.isWellFormed()) return undefined
  const name = normalizeText(value.trim(), 'NFC')
  if (name.length > nameLengthMax) return undefined
  return name === '' ? null : name
}
