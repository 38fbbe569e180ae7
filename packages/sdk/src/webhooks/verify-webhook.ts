import { isStandardWebhookSignature, isWebhookBodySignature } from '@crmkit/core/signing'
import {
  type HeadersSource,
  headerOf,
  type RawDelivery,
  readDelivery,
  type WebhookInput,
} from './webhook-input.ts'
import { WebhookVerificationError } from './webhook-verification-error.ts'

export interface VerifyOptions {
  /** The secrets that may have signed, `whsec_…`. During a rotation: the new one and the old one. */
  readonly secrets: string | readonly string[]
  /** How many seconds the sender's clock may be before or behind this one. Default: 300. */
  readonly toleranceSeconds?: number | undefined
  /**
   * Accepts a delivery that only has `X-Webhook-Signature`, which says nothing of its time: whoever recorded it
   * can send it again for ever, so deduplicate by the event's id. Default: false.
   */
  readonly allowUndated?: boolean | undefined
  /** The present, in Unix milliseconds, for tests. Default: the system's clock. */
  readonly now?: (() => number) | undefined
}

export interface VerifiedWebhook {
  /** `standard`: id, time and body are signed. `body`: only the body is (possible with `allowUndated` alone). */
  readonly verified: 'standard' | 'body'
  /** The body as it arrived. */
  readonly body: string
  /** The event's id, the same over all attempts; undefined when it was not signed. */
  readonly id: string | undefined
  /** When the attempt was signed, Unix seconds; undefined when it was not signed. */
  readonly timestamp: number | undefined
}

/**
 * Proves that a delivery comes from who has one of the secrets, and recently. Nothing is parsed.
 * Takes a web `Request`, a Node request whose body nobody has read, or `{ body, headers }` with the raw body.
 *
 * @throws {WebhookVerificationError} `code` says what is wrong
 */
export async function verifyWebhook(input: WebhookInput, options: VerifyOptions): Promise<VerifiedWebhook> {
  const secrets = secretsOf(options.secrets)
  const { body, headers } = await readDelivery(input)
  const text = textOf(body)
  if (['webhook-id', 'webhook-timestamp', 'webhook-signature'].some((name) => headerOf(headers, name))) {
    return {
      verified: 'standard',
      body: text,
      ...(await verifyStandard({ body, headers }, secrets, options)),
    }
  }
  if (!options.allowUndated) {
    throw new WebhookVerificationError(
      'missing_header',
      'webhook-id, webhook-timestamp and webhook-signature are missing: does a proxy drop headers, or is this not a ' +
        'webhook? allowUndated: true also accepts X-Webhook-Signature alone.',
    )
  }
  await verifyBody({ body, headers }, secrets)
  return { verified: 'body', body: text, id: undefined, timestamp: undefined }
}

type Signed = { id: string; timestamp: number }

async function verifyStandard(
  { body, headers }: RawDelivery,
  secrets: readonly string[],
  options: VerifyOptions,
): Promise<Signed> {
  const id = requiredHeader(headers, 'webhook-id')
  const timestampText = requiredHeader(headers, 'webhook-timestamp')
  const signature = requiredHeader(headers, 'webhook-signature')
  if (!/^[1-9]\d{0,11}$/.test(timestampText)) {
    throw new WebhookVerificationError('bad_format', 'webhook-timestamp must be Unix seconds')
  }
  if (!/(^| )v1,/.test(signature)) {
    throw new WebhookVerificationError('bad_format', 'webhook-signature holds no v1 signature')
  }
  const timestamp = Number(timestampText)
  const tries = secrets.map((secret) =>
    isStandardWebhookSignature(signature, { id, timestamp, body, secret }),
  )
  if (!(await Promise.all(tries)).includes(true)) throw mismatch()
  // After the signature, so that "too old" is a statement about a true delivery.
  assertRecent(timestamp, options)
  return { id, timestamp }
}

function assertRecent(timestamp: number, { toleranceSeconds = 300, now = Date.now }: VerifyOptions): void {
  const ageSeconds = now() / 1000 - timestamp
  if (ageSeconds > toleranceSeconds) {
    const age = Math.round(ageSeconds)
    throw new WebhookVerificationError(
      'too_old',
      `Signed ${age} s ago: a replay, or this machine's clock is fast`,
    )
  }
  if (ageSeconds < -toleranceSeconds) {
    const lead = Math.round(-ageSeconds)
    throw new WebhookVerificationError(
      'too_new',
      `Signed ${lead} s in the future: this machine's clock is slow`,
    )
  }
}

async function verifyBody({ body, headers }: RawDelivery, secrets: readonly string[]): Promise<void> {
  const signature = requiredHeader(headers, 'x-webhook-signature')
  // During a rotation the new secret signs in a header of its own.
  const next = headerOf(headers, 'x-webhook-signature-next')
  const signatures = next === undefined ? [signature] : [signature, next]
  if (!signatures.every((text) => /^sha256=[0-9a-f]{64}$/i.test(text))) {
    throw new WebhookVerificationError(
      'bad_format',
      'X-Webhook-Signature must be sha256= and 64 hexadecimal digits',
    )
  }
  const tries = secrets.flatMap((secret) =>
    signatures.map((text) => isWebhookBodySignature(text, { body, secret })),
  )
  if (!(await Promise.all(tries)).includes(true)) throw mismatch()
}

function mismatch(): WebhookVerificationError {
  return new WebhookVerificationError(
    'mismatch',
    'No signature fits: another webhook’s or environment’s secret, or the body is not byte for byte what arrived',
  )
}

function requiredHeader(headers: HeadersSource, name: string): string {
  const value = headerOf(headers, name)?.trim()
  if (!value) throw new WebhookVerificationError('missing_header', `${name} is missing`)
  return value
}

function secretsOf(secrets: string | readonly string[]): readonly string[] {
  const list = typeof secrets === 'string' ? [secrets] : secrets
  if (list.length === 0) throw new WebhookVerificationError('bad_format', 'There is no secret to verify with')
  for (const secret of list) {
    if (typeof secret !== 'string' || !/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) {
      throw new WebhookVerificationError(
        'bad_format',
        'A secret must be whsec_ and base64, without blanks around it',
      )
    }
  }
  return list
}

function textOf(body: string | Uint8Array): string {
  return typeof body === 'string' ? body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
}
