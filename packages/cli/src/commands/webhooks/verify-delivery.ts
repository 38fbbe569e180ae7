import { isStandardWebhookSignature, isWebhookBodySignature, signStandardWebhook } from '@crmkit/core/signing'
import { bodyVariants, secretVariants, type Variant } from './delivery-variants.ts'

/** A delivery as a receiver saw it. */
export interface SeenDelivery {
  /** Byte for byte; a text would hide what a wrong decoding did. */
  readonly body: Uint8Array
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly secrets: readonly NamedSecret[]
}

export interface NamedSecret {
  /** The file's name: what is said of it, never its text. */
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
  /** What to do about it. */
  readonly advice: string | null
}

interface Claim {
  readonly scheme: 'standard' | 'body'
  readonly isMatch: (body: Uint8Array, secret: string) => Promise<boolean>
}

const toleranceSeconds = 300

/** Says whether a delivery is what it claims to be and, when it is not, what most likely happened to it. */
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

/** With its prefix, so that what hides behind a missing one is found, too. */
function repaired(signature: string, prefix: string): string {
  return signature.includes(prefix) ? signature : prefix + signature
}

function problemOfForm({ headers }: SeenDelivery): Diagnosis | undefined {
  const trio = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  const missing = trio.filter((name) => !headers[name])
  const hasPlain = headers['x-webhook-signature'] !== undefined
  if (missing.length === 3 && !hasPlain) {
    return problem('missing_header', 'None of the signature headers is there.', {
      advice: 'Keep the headers of the request: webhook-id, webhook-timestamp, webhook-signature.',
    })
  }
  if (missing.length > 0 && missing.length < 3) {
    return problem('missing_header', `Missing: ${missing.join(', ')}. The three belong together.`, {
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
      advice: 'It is sent as Unix seconds; use it as it came.',
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
    return problem('body_changed', `The body was changed on its way: ${body.change}.`, {
      advice: body.advice,
    })
  if (secret.change)
    return problem('secret_changed', `The secret is not as it was shown: ${secret.change}.`, {
      advice: secret.advice,
    })
  const prefix = claim.scheme === 'standard' ? 'v1,' : 'sha256='
  const header = claim.scheme === 'standard' ? 'webhook-signature' : 'x-webhook-signature'
  if (
    !Object.entries(seen.headers).some(([name, text]) => name.startsWith(header) && text.includes(prefix))
  ) {
    return problem('bad_format', `The signature has lost its prefix "${prefix}".`, {
      advice: 'Pass the header on as it came.',
    })
  }
  const ageSeconds = Math.round(nowMs / 1000 - Number(seen.headers['webhook-timestamp'] ?? nowMs / 1000))
  if (Math.abs(ageSeconds) > toleranceSeconds) return clockProblem(ageSeconds)
  return {
    isValid: true,
    verified: claim.scheme,
    cause: 'none',
    explanation: `The signature is right${seen.secrets.length > 1 ? ` with the secret in ${named.name}` : ''}.`,
    advice:
      claim.scheme === 'standard'
        ? null
        : 'Only the body is signed by X-Webhook-Signature: prefer the webhook-* headers, which also sign the time.',
  }
}

function clockProblem(ageSeconds: number): Diagnosis {
  const when = ageSeconds > 0 ? `${ageSeconds} s ago` : `${-ageSeconds} s in the future`
  return problem(
    'clock',
    `The signature is right, but it was made ${when}; ${toleranceSeconds} s are allowed.`,
    {
      advice:
        ageSeconds > 0
          ? 'An old delivery or a replay; if it has just come, this clock is fast (crm doctor compares clocks).'
          : 'This clock is slow (crm doctor compares clocks).',
    },
  )
}

/** The id stands in the body as well. */
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
      `The body looks as it was sent; ${isPlural ? 'none of the secrets' : 'the secret'} fits.`,
      {
        advice:
          'Most likely the secret of another webhook or environment, or one from before a rotation. Give several with --secret-file to compare them.',
      },
    )
  }
  return problem('unknown', 'The body is not as it was sent, and no change that is known explains it.', {
    advice:
      'Verify the raw bytes, before any parser: keys in another order or rounded numbers cannot be undone.',
  })
}

/** The service sends JSON without a blank, and begins with the id. */
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
