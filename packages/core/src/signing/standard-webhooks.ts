import { hmacSha256, isEqualConstantTime } from '#hmac'
import { fromBase64, toBase64, toBytes } from './bytes.ts'

export const secretPrefix = 'whsec_'

export interface StandardWebhook {
  /** The event's id, the same over all attempts. */
  id: string
  /** Unix seconds of the attempt. */
  timestamp: number
  body: string | Uint8Array
}

/** The HMAC key of a secret: the base64 after `whsec_`. Undefined when it has another form or is empty. */
function standardKey(secret: string): Uint8Array | undefined {
  const key = fromBase64(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret)
  // Anyone can sign with an empty key.
  return key?.length ? key : undefined
}

function signedContent({ id, timestamp, body }: StandardWebhook): Uint8Array {
  const head = toBytes(`${id}.${timestamp}.`)
  const bytes = toBytes(body)
  const content = new Uint8Array(head.length + bytes.length)
  content.set(head)
  content.set(bytes, head.length)
  return content
}

/**
 * One `v1,<base64>` signature of the Standard Webhooks specification. The header may hold several,
 * separated by blanks. Throws a TypeError when the secret is not `whsec_` + base64.
 */
export async function signStandardWebhook(webhook: StandardWebhook, secret: string): Promise<string> {
  const key = standardKey(secret)
  if (key === undefined) throw new TypeError('A webhook secret is whsec_ followed by base64')
  return `v1,${toBase64(await hmacSha256(key, signedContent(webhook)))}`
}

/** True when one of the header's `v1` signatures is valid. Every candidate is compared in constant time. */
export async function isStandardWebhookSignature(
  header: string,
  { secret, ...webhook }: StandardWebhook & { secret: string },
): Promise<boolean> {
  const key = standardKey(secret)
  if (key === undefined) return false
  const expected = await hmacSha256(key, signedContent(webhook))
  let isMatch = false
  for (const candidate of header.split(' ')) {
    const given = candidate.startsWith('v1,') ? fromBase64(candidate.slice(3)) : undefined
    if (given !== undefined && isEqualConstantTime(given, expected)) isMatch = true
  }
  return isMatch
}
