import { domainOf as asciiDomainOf } from '@crmkit/core'
import { serverOfResults, withoutComments } from '../parse/authentication-results.ts'

interface Sender {
  /** Addresses of all From headers. */
  from: readonly { address: string }[]
  /** The topmost Authentication-Results of the mail; null: none. */
  authenticationResults: string | null
  /** The servers whose results the inbox trusts. */
  authservIds: readonly string[]
}

interface MethodResult {
  method: string
  result: string
  /** Property such as `header.d`, to its value. */
  properties: Readonly<Record<string, string>>
}

/**
 * Returns whether the server that received a mail has verified its From address: false when it says that it is forged,
 * null when it says nothing, or when nothing that it says can be trusted. A sender can write such a header too, so only the
 * topmost one counts, and only with the name of a server that the inbox trusts.
 */
export function verifiedSender({ from, authenticationResults, authservIds }: Sender): boolean | null {
  const [sender] = from
  if (sender === undefined || from.length !== 1 || authenticationResults === null) return null
  const server = serverOfResults(authenticationResults)
  if (!authservIds.some((id) => id.toLowerCase() === server)) return null
  const domain = domainOf(sender.address)
  const [, ...methods] = withoutComments(authenticationResults).split(';')
  const results = methods.flatMap((text) => parseMethod(text) ?? [])
  return verdict(results, domain)
}

function verdict(results: readonly MethodResult[], domain: string): boolean | null {
  const dmarc = results.filter(
    ({ method, properties }) => method === 'dmarc' && domainOf(properties['header.from'] ?? '') === domain,
  )
  if (dmarc.some(({ result }) => result === 'pass')) return true
  // A failed DMARC needs no aligned domain: it is about the From domain by its definition.
  if (results.some(({ method, result }) => method === 'dmarc' && result === 'fail')) return false
  const aligned = results.filter((result) => isAligned(result, domain))
  if (aligned.some(({ result }) => result === 'pass')) return true
  return aligned.some(({ result }) => result === 'fail') ? false : null
}

/** Returns whether a result of DKIM or SPF is about the From domain or a parent of it with at least two labels. */
function isAligned({ method, properties }: MethodResult, domain: string): boolean {
  const named =
    method === 'dkim'
      ? (properties['header.d'] ?? properties['header.i'])
      : method === 'spf'
        ? (properties['smtp.mailfrom'] ?? properties['smtp.helo'])
        : undefined
  if (named === undefined) return false
  const proven = domainOf(named)
  if (proven.split('.').length < 2) return false
  return proven === domain || domain.endsWith(`.${proven}`)
}

function parseMethod(text: string): MethodResult | undefined {
  const [first = '', ...rest] = text.trim().split(/\s+/)
  const match = /^([a-z0-9-]+)(?:\/\d+)?=([a-z]+)$/i.exec(first)
  if (match === null) return undefined
  const properties: Record<string, string> = {}
  for (const each of rest) {
    const equals = each.indexOf('=')
    if (equals > 0) properties[each.slice(0, equals).toLowerCase()] ??= each.slice(equals + 1)
  }
  return { method: (match[1] ?? '').toLowerCase(), result: (match[2] ?? '').toLowerCase(), properties }
}

function domainOf(text: string): string {
  return asciiDomainOf(text).replace(/\.$/, '')
}
