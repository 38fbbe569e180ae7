import { isStandardWebhookSignature, isWebhookBodySignature, signStandardWebhook } from '@crmkit/core/signing'
import { bodyVariants, secretVariants, type Variant } from './delivery-variants.ts'

/** A delivery as a receiver got it. */
export interface SeenDelivery {
  /** Bytes, because a text would hide a wrong decoding. */
  readonly body: Uint8Array
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly secrets: readonly NamedSecret[]
}

export interface NamedSecret {
  /** The name of the file; messages contain the name, never the text. */
  readonly name: string
  readonly text: string
}

export interface Diagnosis {
  readonly isValid: boolean
  /** `standard`: id, time and body are signed; `body`: only the body is. */
  readonly verified: 'standard' | 'body' | null
  readonly cause:
    | 'none'
    | 'missing_header'
    | 'bad_format'
    | 'clock'
    | 'body_changed'
    | 'secret_changed'
    | 'other_secret'
    | 'wrong_id'
    | 'unknown'
  readonly explanation: string
  /** The next step for the reader. */
  readonly advice: string | null
}

interface Claim {
  readonly scheme: 'standard' | 'body'
  readonly isMatch: (body: Uint8Array, secret: string) => Promise<boolean>
}

const toleranceSeconds = 300

/** Verifies a delivery and, when it is not valid, finds the most likely cause. */
export async function diagnose(seen: SeenDelivery, nowMs: number): Promise<Diagnosis> {
  const formProblem = problemOfForm(seen)
  if (formProblem) return formProblem
  const claim = claimOf(seen)
  const isMatch = (body: Variant<Uint8Array>, secret: Variant<string>) =>
    claim.isMatch(body.value, secret.value).catch(() => false)
  const bodies = bodyVariants(seen.body)
  for (const body of bodies) {
    for (const named of seen.secrets) {
      for (const secret of secretVariants(named.text)) {
        if (await isMatch(body, secret)) return found({ seen, claim, body, secret, named, nowMs })
      }
    }
  }
  return (await problemOfId(seen)) ?? unexplained(seen)
}

function claimOf({ headers }: SeenDelivery): Claim {
  const { 'webhook-id': id = '', 'webhook-signature': signature } = headers
  const timestamp = Number(headers['webhook-timestamp'])
  if (signature !== undefined) {
    const isMatch = (body: Uint8Array, secret: string) =>
      isStandardWebhookSignature(repaired(signature, 'v1,'), { id, timestamp, body, secret })
    return { scheme: 'standard', isMatch }
  }
  const plain = [headers['x-webhook-signature'], headers['x-webhook-signature-next']].filter(
    (text) => text !== undefined,
  )
  const isMatch = async (body: Uint8Array, secret: string) => {
    const matches = plain.map((text) => isWebhookBodySignature(repaired(text, 'sha256='), { body, secret }))
    return (await Promise.all(matches)).includes(true)
  }
  return { scheme: 'body', isMatch }
}

/** Adds a missing prefix, so that further problems are found as well. */
function repaired(signature: string, prefix: string): string {
  return signature.includes(prefix) ? signature : prefix + signature
}

function problemOfForm({ headers }: SeenDelivery): Diagnosis | undefined {
  const trio = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  const missing = trio.filter((name) => !headers[name])
  const hasPlain = headers['x-webhook-signature'] !== undefined
  if (missing.length === 3 && !hasPlain) {
    return problem('missing_header', 'All signature headers are missing.', {
      advice: 'Keep the headers of the request: webhook-id, webhook-timestamp, webhook-signature.',
    })
  }
  if (missing.length > 0 && missing.length < 3) {
    return problem('missing_header', `Missing: ${missing.join(', ')}. All three headers are needed.`, {
      advice: 'Look for a proxy or a framework that drops headers.',
    })
  }
  const timestamp = headers['webhook-timestamp']
  if (timestamp === undefined || /^[1-9]\d{0,11}$/.test(timestamp)) return undefined
  const isMilliseconds = /^\d{13}$/.test(timestamp)
  return problem(
    'bad_format',
    `webhook-timestamp is ${isMilliseconds ? 'in milliseconds' : 'not a number'}.`,
    {
      advice: 'The service sends Unix seconds; use the header as received.',
    },
  )
}

interface Match {
  readonly seen: SeenDelivery
  readonly claim: Claim
  readonly body: Variant<Uint8Array>
  readonly secret: Variant<string>
  readonly named: NamedSecret
  readonly nowMs: number
}

function found({ seen, claim, body, secret, named, nowMs }: Match): Diagnosis {
  if (body.change)
    return problem('body_changed', `The body was changed on the way: ${body.change}.`, {
      advice: body.advice,
    })
  if (secret.change)
    return problem('secret_changed', `The secret was changed: ${secret.change}.`, {
      advice: secret.advice,
    })
  const prefix = claim.scheme === 'standard' ? 'v1,' : 'sha256='
  const header = claim.scheme === 'standard' ? 'webhook-signature' : 'x-webhook-signature'
  if (
    !Object.entries(seen.headers).some(([name, text]) => name.startsWith(header) && text.includes(prefix))
  ) {
    return problem('bad_format', `The signature has lost its prefix "${prefix}".`, {
      advice: 'Use the header as received.',
    })
  }
  const ageSeconds = Math.round(nowMs / 1000 - Number(seen.headers['webhook-timestamp'] ?? nowMs / 1000))
  if (Math.abs(ageSeconds) > toleranceSeconds) return clockProblem(ageSeconds)
  return {
    isValid: true,
    verified: claim.scheme,
    cause: 'none',
    explanation: `The signature is valid${seen.secrets.length > 1 ? ` with the secret in ${named.name}` : ''}.`,
    advice:
      claim.scheme === 'standard'
        ? null
        : 'X-Webhook-Signature signs only the body: prefer the webhook-* headers, which also sign the time.',
  }
}

function clockProblem(ageSeconds: number): Diagnosis {
  const when = ageSeconds > 0 ? `${ageSeconds} s ago` : `${-ageSeconds} s in the future`
  return problem(
    'clock',
    `The signature is valid, but it was made ${when}; ${toleranceSeconds} s are allowed.`,
    {
      advice:
        ageSeconds > 0
          ? 'The delivery is old or a replay. If it is new, this clock is fast (crm doctor compares clocks).'
          : 'This clock is slow (crm doctor compares clocks).',
    },
  )
}

/** Compares the id header with the id in the body. */
async function problemOfId({ body, headers, secrets }: SeenDelivery): Promise<Diagnosis | undefined> {
  const signature = headers['webhook-signature']
  const id = idOf(body)
  if (signature === undefined || id === undefined || id === headers['webhook-id']) return undefined
  const timestamp = Number(headers['webhook-timestamp'])
  for (const { text } of secrets) {
    const expected = await signStandardWebhook({ id, timestamp, body }, text).catch(() => undefined)
    if (expected === undefined || !signature.includes(expected)) continue
    return problem('wrong_id', 'webhook-id is not the id of this body.', {
      advice: 'Headers and body come from two deliveries.',
    })
  }
  return undefined
}

function idOf(body: Uint8Array): string | undefined {
  try {
    const { id } = JSON.parse(new TextDecoder().decode(body))
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}

function unexplained({ body, secrets }: SeenDelivery): Diagnosis {
  const isPlural = secrets.length > 1
  if (isAsSent(body)) {
    return problem(
      'other_secret',
      `The body looks unchanged; ${isPlural ? 'no secret matches' : 'the secret does not match'}.`,
      {
        advice:
          'The secret most likely belongs to another webhook or environment, or is older than a rotation. Repeat --secret-file to compare several secrets.',
      },
    )
  }
  return problem('unknown', 'The body was changed, and no known change explains it.', {
    advice: 'Verify the raw bytes, before any parser: reordered keys and rounded numbers cannot be restored.',
  })
}

/** The service sends JSON without blanks that begins with the id. */
function isAsSent(body: Uint8Array): boolean {
  const text = new TextDecoder().decode(body)
  try {
    return text.startsWith('{"id":') && JSON.stringify(JSON.parse(text)) === text
  } catch {
    return false
  }
}

function problem(
  cause: Diagnosis['cause'],
  explanation: string,
  { advice }: { advice: string | undefined },
): Diagnosis {
  return { isValid: false, verified: null, cause, explanation, advice: advice ?? null }
}
