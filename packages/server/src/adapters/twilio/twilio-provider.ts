import { createHmac, timingSafeEqual } from 'node:crypto'
import jwt from 'jsonwebtoken'
import type { SignedCallback, TelephonyProvider, TwilioSettings } from '../../ports/telephony-provider.ts'

/** Source: contract 6. */
const tokenSeconds = 600

/** Twilio by its documented formats: access tokens, and request signatures (HMAC-SHA1 over URL and sorted fields). */
export function createTwilioProvider(settings: TwilioSettings): TelephonyProvider {
  return {
    name: 'twilio',
    capabilityToken: (grant) => signAccessToken(settings, grant),
    isSigned: (callback) => isSignedBy(settings.authToken, callback),
  }
}

type Grant = Parameters<TelephonyProvider['capabilityToken']>[0]
type Signer = Pick<TwilioSettings, 'accountSid' | 'apiKeySid' | 'apiKeySecret' | 'applicationSid'>

export function signAccessToken(
  signer: Signer,
  { clientName, customerPhone, agentId, nowMs }: Grant,
): string {
  const iat = Math.floor(nowMs / 1000)
  const payload = {
    jti: `${signer.apiKeySid}-${iat}`,
    iss: signer.apiKeySid,
    sub: signer.accountSid,
    iat,
    exp: iat + tokenSeconds,
    grants: {
      identity: clientName,
      voice: {
        incoming: { allow: true },
        outgoing: { application_sid: signer.applicationSid, params: { customerPhone, agentId } },
      },
    },
  }
  const header = { alg: 'HS256', typ: 'JWT', cty: 'twilio-fpa;v=1' } as const
  return jwt.sign(payload, signer.apiKeySecret, { algorithm: 'HS256', header })
}

function isSignedBy(authToken: string, { url, form, signature }: SignedCallback): boolean {
  if (signature === undefined) return false
  const names = [...new Set(form.keys())].sort()
  const fields = names.flatMap((name) => [...new Set(form.getAll(name))].sort().map((value) => name + value))
  const digest = createHmac('sha1', authToken)
    .update(url + fields.join(''), 'utf8')
    .digest('base64')
  // As texts: decoded, another spelling of the same bytes would be equal.
  const expected = Buffer.from(digest)
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
