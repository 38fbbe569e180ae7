import type { Problem } from '../contract/failure.ts'

const headersMax = 20
const bytesMax = 4096
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/
// Visible ASCII, blank and tab. Other characters could end the header or the request.
const value = /^[\t\x20-\x7e]*$/
const ownNames = new Set([
  'host',
  'content-length',
  'content-type',
  'transfer-encoding',
  'connection',
  'user-agent',
  'expect',
  'upgrade',
  'te',
  'trailer',
  'keep-alive',
])

/** The problems with a webhook's own headers. Values are never repeated. */
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
    else if (!value.test(text)) add(`headers.${name}`, 'must hold visible ASCII only', 'header_value')
    seen.add(lower)
  }
  return problems
}
