import { isStandardWebhookSignature, isWebhookBodySignature } from '@crmkit/core/signing'
import { headerOf, readBody, type WebhookInput } from './webhook-input.ts'
import { WebhookVerificationError } from './webhook-verification-error.ts'

export interface VerifyOptions {
  /**
   * The secrets that may have signed, `whsec_…`. During a rotation: the new one and the old one. Undefined (an unset
   * variable) is refused when a delivery arrives.
   */
  readonly secrets: string | readonly string[] | undefined
  /** How many seconds the sender's clock may be before or behind this one. Default: 300. */
  readonly toleranceSeconds?: number | undefined
  /**
   * Accepts a delivery that only has `X-Webhook-Signature`, which does not cover the time: a recorded delivery
   * can be replayed at any time, so deduplicate by the event's id. Default: false.
   */
  readonly allowUndated?: boolean | undefined
  /**
   * The maximum size in bytes of a body that is still to be read; a longer one is read no further and refused with
   * `too_large`. Default: 1 MiB, more than any event has.
   */
  readonly bodyBytesMax?: number | undefined
  /** The present, in Unix milliseconds, for tests. Default: the system's clock. */
  readonly now?: (() => number) | undefined
}

export interface VerifiedWebhook {
  /** `standard`: id, time and body are signed. `body`: only the body is signed (possible with `allowUndated` alone). */
  readonly verified: 'standard' | 'body'
  /** The body as it arrived. */
  readonly body: string
  /** The event's id, the same over all attempts; undefined when it was not signed. */
  readonly id: string | undefined
  /** When the attempt was signed, Unix seconds; undefined when it was not signed. */
  readonly timestamp: number | undefined
}

/**
 * Proves that the sender of a delivery has one of the secrets and signed it recently. It parses nothing. Takes a web
 * `Request`, a Node request whose body was not read, or `{ body, headers }` with the raw body.
 *
 * @throws {WebhookVerificationError} `code` says what is wrong
 */
export async function verifyWebhook(input: WebhookInput, options: VerifyOptions): Promise<VerifiedWebhook> {
  const secrets = secretsOf(options)
  const body = await readBody(input, options.bodyBytesMax)
  const header = (name: string) => headerOf(input.headers, name)
  const [id, time, signature] = [
    header('webhook-id'),
    header('webhook-timestamp'),
    header('webhook-signature'),
  ]
  if (options.allowUndated && !id && !time && !signature) {
    // During a rotation the new secret signs in a header of its own.
    const signatures = [header('x-webhook-signature'), header('x-webhook-signature-next')]
    await assertMatch(secrets, signatures, (text, secret) => isWebhookBodySignature(text, { body, secret }))
    return { verified: 'body', body, id: undefined, timestamp: undefined }
  }
  if (!id || !time || !signature) {
    throw new WebhookVerificationError('missing_header', 'webhook-id, -timestamp or -signature is missing')
  }
  if (!/^[1-9]\d{0,11}$/.test(time)) {
    throw new WebhookVerificationError('bad_format', 'webhook-timestamp must be Unix seconds')
  }
  const timestamp = Number(time)
  await assertMatch(secrets, [signature], (text, secret) =>
    isStandardWebhookSignature(text, { id, timestamp, body, secret }),
  )
  // After the signature, so that "too old" is a statement about a true delivery.
  assertRecent(timestamp, options)
  return { verified: 'standard', body, id, timestamp }
}

/** Compares every secret with every signature, so that the time does not depend on the result. */
async function assertMatch(
  secrets: readonly string[],
  signatures: readonly string[],
  isMatch: (signature: string, secret: string) => Promise<boolean>,
): Promise<void> {
  const given = signatures.filter(Boolean)
  if (!given.length) throw new WebhookVerificationError('missing_header', 'X-Webhook-Signature is missing')
  if (!given.some((text) => /(^| )v1,|^sha256=/.test(text))) {
    throw new WebhookVerificationError('bad_format', 'Signatures begin with v1, or sha256=')
  }
  const matches = await Promise.all(secrets.flatMap((secret) => given.map((text) => isMatch(text, secret))))
  if (matches.includes(true)) return
  throw new WebhookVerificationError('mismatch', 'No signature fits: another secret, or not the raw body')
}

function assertRecent(timestamp: number, { toleranceSeconds = 300, now = Date.now }: VerifyOptions): void {
  const age = Math.round(now() / 1000 - timestamp)
  // The condition is written so that NaN (from an unset variable) accepts no age instead of every age.
  if (!(age <= toleranceSeconds)) {
    throw new WebhookVerificationError('too_old', `Signed ${age} s ago: replay, or fast clock`)
  }
  if (-age > toleranceSeconds) {
    throw new WebhookVerificationError('too_new', `Signed ${-age} s ahead: slow clock`)
  }
}

function secretsOf({ secrets }: VerifyOptions): readonly string[] {
  const list = [secrets ?? []].flat()
  // A secret from an unset variable must not become an HMAC with an empty key.
  if (!list.length || !list.every((secret) => /^whsec_[\w+/]+=*$/.test(secret))) {
    throw new WebhookVerificationError('bad_format', 'A secret is whsec_ and base64; is it unset?')
  }
  return list
}
