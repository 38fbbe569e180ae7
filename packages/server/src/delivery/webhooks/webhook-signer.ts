import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { secretPrefix } from '@crmkit/core'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { WebhookRecord } from '../../storage/kinds/webhooks.ts'
import { openWebhook } from './seal-webhook.ts'

/** The opened secrets of one webhook, as one row of it has them. */
export interface WebhookSigner {
  /** The webhook's own headers. */
  readonly headers: Readonly<Record<string, string>>
  /** Returns the headers with the signatures. */
  sign(content: SignedContent): Signatures
}

export interface SignedContent {
  /** The event's id. */
  readonly id: string
  readonly unixSeconds: number
  readonly body: string
}

export interface Signatures {
  readonly ofBody: Readonly<Record<string, string>>
  /** Value of `webhook-signature`. */
  readonly standard: string
}

/** The two keys of a secret: of its text as it was shown, and of the bytes that it encodes. */
interface SigningKeys {
  readonly ofText: KeyObject
  readonly ofBytes: KeyObject
}

const signersMax = 1_000
/** To open a secret and to make its keys takes longer than to sign with them, so they stay in memory. */
const signersOf = new WeakMap<SecretBox, Map<string, WebhookSigner>>()

/** Returns the signer of a webhook's row. Throws when its secrets cannot be opened. */
export function signerOf(box: SecretBox, webhook: WebhookRecord): WebhookSigner {
  const signers = signersOf.get(box) ?? new Map<string, WebhookSigner>()
  signersOf.set(box, signers)
  // A sealed text may be opened for its own row alone, and a changed secret has another one.
  const key = `${webhook.tenantId} ${webhook._id} ${webhook.sealed}`
  const known = signers.get(key)
  if (known) return known
  const signer = createSigner(box, webhook)
  if (signers.size >= signersMax) signers.clear()
  signers.set(key, signer)
  return signer
}

function createSigner(box: SecretBox, webhook: WebhookRecord): WebhookSigner {
  const { headers, secret, previous } = openWebhook(box, webhook)
  const current = keysOf(secret)
  const before = previous && { keys: keysOf(previous.secret), validUntilMs: Date.parse(previous.validUntil) }
  return {
    headers,
    sign(content) {
      const isOverlap = before !== undefined && content.unixSeconds * 1000 < before.validUntilMs
      return signAll(content, isOverlap ? [before.keys, current] : [current])
    },
  }
}

function keysOf(secret: string): SigningKeys {
  const encoded = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret
  return {
    ofText: createSecretKey(secret, 'utf8'),
    ofBytes: createSecretKey(encoded, 'base64'),
  }
}

/**
 * During the overlap of a rotation, receivers may still use the previous secret: its signature stays in the usual
 * header, and the one of the new secret is added beside it.
 */
function signAll({ id, unixSeconds, body }: SignedContent, keys: readonly SigningKeys[]): Signatures {
  const [current = '', next] = keys.map(
    ({ ofText }) => `sha256=${createHmac('sha256', ofText).update(body).digest('hex')}`,
  )
  const standard = keys.map(
    ({ ofBytes }) =>
      `v1,${createHmac('sha256', ofBytes).update(`${id}.${unixSeconds}.${body}`).digest('base64')}`,
  )
  return {
    ofBody: {
      'X-Webhook-Signature': current,
      ...(next !== undefined && { 'X-Webhook-Signature-Next': next }),
    },
    standard: standard.join(' '),
  }
}
