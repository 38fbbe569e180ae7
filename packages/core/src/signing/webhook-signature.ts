import { hmacSha256, isEqualConstantTime } from '#hmac'
import { fromHex, toBytes, toHex } from './bytes.ts'

const prefix = 'sha256='

/**
 * The value of `X-Webhook-Signature`: `sha256=` and the lowercase hex HMAC-SHA256 of the body's bytes.
 * The key is the secret string as it was shown, `whsec_` included. Source: specification 6.3, rule 3.
 */
export async function signWebhookBody(body: string | Uint8Array, secret: string): Promise<string> {
  return prefix + toHex(await hmacSha256(toBytes(secret), toBytes(body)))
}

/** False for a wrong signature and for one that is not of the form `sha256=<hex>`. Constant time. */
export async function isWebhookBodySignature(
  signature: string,
  { body, secret }: { body: string | Uint8Array; secret: string },
): Promise<boolean> {
  const given = signature.startsWith(prefix) ? fromHex(signature.slice(prefix.length)) : undefined
  const expected = await hmacSha256(toBytes(secret), toBytes(body))
  return given !== undefined && isEqualConstantTime(given, expected)
}
