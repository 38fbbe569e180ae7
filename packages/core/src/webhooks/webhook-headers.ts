import type { Problem } from '../contract/failure.ts'

const headersMax = 20
const bytesMax = 4096
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/
// Visible ASCII, blank and tab. Other characters could end the header or the request.
const value = /^[\t\x20-\x7e]*$/
/** Stands for each stored value in responses. It is no valid value itself. */
export const headerMask = '••••'

const ownNames = new Set([
  'host',
  'content-length',
  'content-type',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'user-agent',
  'expect',
  'upgrade',
  'te',
  'trailer',
  'keep-alive',
])

/** The problems with a webhook's own headers; a mask is none. Values are never repeated. */
export function webhookHeaderProblems(headers: Readonly<Record<string, string>>): Problem[] {
  const problems: Problem[] = []
  const add = (field: string, message: string, rule: string) =>
    problems.push({ field, message, rule, in: 'body' })
  const entries = Object.entries(headers)
  if (entries.length > headersMax) add('headers', `must be at most ${headersMax} items`, 'max')
  if (entries.reduce((sum, [name, text]) => sum + name.length + text.length, 0) > bytesMax) {
    add('headers', 'must be at most 4 KB together', 'max_bytes')
  }
  const seen = new Set<string>()
  for (const [name, text] of entries) {
    const lower = name.toLowerCase()
    if (!token.test(name)) add('headers', 'must have valid header names', 'header_name')
    else if (ownNames.has(lower) || lower.startsWith('x-webhook-') || lower.startsWith('webhook-')) {
      add(`headers.${name}`, 'is set by the service itself', 'reserved_header')
    } else if (seen.has(lower)) add(`headers.${name}`, 'is sent twice', 'duplicate')
    else if (text !== headerMask && !value.test(text)) {
      add(`headers.${name}`, 'must hold visible ASCII only', 'header_value')
    }
    seen.add(lower)
  }
  return problems
}

/** The headers as responses show them. */
export function maskedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, headerMask]))
}

interface StoredHeaders {
  stored: Readonly<Record<string, string>>
  /** Whether the webhook gets another origin, whose receiver must not get the stored values. */
  isMoved: boolean
}

/** The headers to store: each mask is replaced by the stored value of its name, which ignores upper and lower case. */
export function unmaskedHeaders(
  given: Readonly<Record<string, string>>,
  { stored, isMoved }: StoredHeaders,
): { headers: Record<string, string>; problems: Problem[] } {
  const storedValues = new Map(Object.entries(stored).map(([name, text]) => [name.toLowerCase(), text]))
  const entries: [string, string][] = []
  const problems: Problem[] = []
  for (const [name, text] of Object.entries(given)) {
    const value = text === headerMask ? storedValues.get(name.toLowerCase()) : text
    const field = `headers.${name}`
    if (isMoved && text === headerMask) {
      const message = 'must be given anew, because the origin of the URL changes'
      problems.push({ field, message, rule: 'origin', in: 'body' })
    } else if (value === undefined) {
      const message = 'must be the value itself: the mask has no stored value'
      problems.push({ field, message, rule: 'masked', in: 'body' })
    } else entries.push([name, value])
  }
  return { headers: Object.fromEntries(entries), problems }
}
