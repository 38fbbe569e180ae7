import { createPublicKey, type KeyObject } from 'node:crypto'

/** Returns the key of a signed event webhook, which SendGrid shows as base64 of its DER form. Throws for another text. */
export function sendgridKey(text: string): KeyObject {
  const key = createPublicKey({ key: Buffer.from(text.trim(), 'base64'), format: 'der', type: 'spki' })
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new TypeError('The key is on another curve')
  return key
}

export function isSendgridKey(text: string): boolean {
  try {
    return sendgridKey(text) !== undefined
  } catch {
    return false
  }
}
