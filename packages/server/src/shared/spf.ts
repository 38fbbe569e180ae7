import ipaddr from 'ipaddr.js'
import type { DnsRecords } from '../ports/dns-records.ts'
import { InvalidSpf, readSpfTerms, type SpfTerm } from './spf-terms.ts'

/**
 * The servers that a domain has to allow: by their addresses, or by the record of a provider whose servers change. Unknown: why
 * the servers cannot be named, in one sentence.
 */
export type SpfNeed = { addresses: readonly string[] } | { include: string } | { unknown: string }

export interface SpfResult {
  /** Null: it cannot be said. */
  ok: boolean | null
  /** One sentence about why it is not true; null where it is. */
  reason: string | null
}

/** RFC 7208, section 4.6.4: a receiver gives up after as many. */
const lookupsMax = 10
const voidLookupsMax = 2
/** An address of no server: only a term that allows everybody allows it. */
const nobody = '0.0.0.0'

class Unknown extends Error {}

/** Returns the one record of SPF among the TXT records of a domain; undefined where there is none, or more than one. */
export function spfRecordOf(published: readonly string[]): string | undefined {
  const records = published.filter((text) => /^v=spf1(?: |$)/i.test(text))
  return records.length === 1 ? records[0] : undefined
}

/** Says whether the published record of a domain allows what it has to, as a receiver evaluates it (RFC 7208). */
export async function judgeSpf(
  dns: DnsRecords,
  { domain, published, need }: { domain: string; published: readonly string[]; need: SpfNeed },
): Promise<SpfResult> {
  const record = spfRecordOf(published)
  if (record === undefined) {
    const isDouble = published.some((text) => /^v=spf1(?: |$)/i.test(text))
    const reason = isDouble
      ? 'More than one record of SPF is published, which is as bad as none: keep one.'
      : 'No record of SPF is published.'
    return { ok: false, reason }
  }
  try {
    if ('unknown' in need) return judgeWithoutServer(record, need.unknown)
    if ('include' in need) return await judgeInclude(dns, { domain, record, include: need.include })
    return await judgeAddresses(dns, { domain, record, addresses: need.addresses })
  } catch (error) {
    if (error instanceof Unknown) return { ok: null, reason: error.message }
    if (error instanceof InvalidSpf) return { ok: false, reason: error.message }
    throw error
  }
}

/** Of a server that nobody can name only one thing is certain: a record that allows none does not allow it. */
function judgeWithoutServer(record: string, reason: string): SpfResult {
  const { terms, redirect } = readSpfTerms(record)
  const isAllowing = redirect !== undefined || terms.some(({ qualifier }) => qualifier === '+')
  return isAllowing ? { ok: null, reason } : { ok: false, reason: 'The record allows no server at all.' }
}

async function judgeAddresses(
  dns: DnsRecords,
  { domain, record, addresses }: { domain: string; record: string; addresses: readonly string[] },
): Promise<SpfResult> {
  if (addresses.length === 0)
    return judgeWithoutServer(record, 'The server that the mail leaves by has no address.')
  for (const address of addresses) {
    const result = await new Evaluation(dns, { address }).check(domain, record)
    if (result === null) throw new Unknown('The record has macros, which are not evaluated here.')
    if (result !== '+')
      return { ok: false, reason: `The record does not allow ${address}, which the mail leaves from.` }
  }
  return { ok: true, reason: null }
}

/** A provider's record stands in the record itself, or in one that it includes. */
async function judgeInclude(
  dns: DnsRecords,
  { domain, record, include }: { domain: string; record: string; include: string },
): Promise<SpfResult> {
  const result = await new Evaluation(dns, { address: nobody, include }).check(domain, record)
  if (result === null) throw new Unknown('The record has macros, which are not evaluated here.')
  if (result === '+') return { ok: true, reason: null }
  return {
    ok: false,
    reason: `The record does not include ${include}, which lists the servers of the provider.`,
  }
}

/** One evaluation, whose look-ups are counted together. */
class Evaluation {
  readonly #dns: DnsRecords
  readonly #address: string
  /** A record that is taken to list the address, wherever it is named. */
  readonly #include: string | undefined
  #lookups = 0
  #voidLookups = 0

  constructor(dns: DnsRecords, { address, include }: { address: string; include?: string }) {
    this.#dns = dns
    this.#address = address
    this.#include = include
  }

  /** Returns the qualifier of the first term that matches the address, `?` for none; null where macros decide it. */
  async check(domain: string, record: string): Promise<string | null> {
    const { terms, redirect } = readSpfTerms(record)
    const possible = new Set<string | null>()
    const resultOf = (last: string | null) => (possible.add(last).size === 1 ? last : null)
    for (const term of terms) {
      const isMatch = await this.#matches(term, domain)
      if (isMatch === true) return resultOf(term.qualifier)
      if (isMatch === null) possible.add(term.qualifier)
    }
    if (redirect === undefined) return resultOf('?')
    this.#count()
    return resultOf(redirect.includes('%') ? null : await this.#checkOther(redirect))
  }

  /** Returns what the record of another domain says. */
  async #checkOther(domain: string): Promise<string | null> {
    const record = spfRecordOf(await this.#ask('TXT', domain))
    if (record === undefined) throw new InvalidSpf(`The record names ${domain}, which has no record of SPF.`)
    const result = await this.check(domain, record)
    return domain === this.#include ? '+' : result
  }

  /** Whether a term matches the address; null where a macro decides it. */
  async #matches({ mechanism, target, bits }: SpfTerm, domain: string): Promise<boolean | null> {
    if (mechanism === 'all') return true
    if (mechanism === 'ip4' || mechanism === 'ip6') return this.#isIn(target, bits)
    this.#count()
    if (target.includes('%')) return null
    const name = target === '' ? domain : target
    if (mechanism === 'include') {
      const result = await this.#checkOther(name)
      return result === null ? null : result === '+'
    }
    if (mechanism === 'a') return (await this.#addressesOf(name)).some((found) => this.#isIn(found, bits))
    if (mechanism === 'exists') return (await this.#find('A', name)).length > 0
    // RFC 7208, section 5.5: nobody should use it, and many receivers do not evaluate it.
    if (mechanism === 'ptr') return false
    return this.#isServerOf(name, bits)
  }

  async #isServerOf(name: string, bits: SpfTerm['bits']): Promise<boolean> {
    const servers = await this.#find('MX', name)
    if (servers.length > lookupsMax)
      throw new InvalidSpf(`${name} has more than ${lookupsMax} MX records, so receivers ignore the record.`)
    let isFound = false
    // A receiver asks for all of them before it compares.
    for (const server of servers) {
      const host = server.slice(server.indexOf(' ') + 1)
      // A lone dot is no server (RFC 7505).
      const found = host === '.' ? [] : await this.#addressesOf(host)
      isFound ||= found.some((one) => this.#isIn(one, bits))
    }
    return isFound
  }

  /** Only those of the kind of the address, as a receiver asks. */
  #addressesOf(name: string): Promise<string[]> {
    return this.#find(this.#address.includes(':') ? 'AAAA' : 'A', name)
  }

  #count(): void {
    this.#lookups += 1
    if (this.#lookups > lookupsMax)
      throw new InvalidSpf(`The record needs more than ${lookupsMax} look-ups, so receivers ignore it.`)
  }

  async #find(type: 'MX' | 'A' | 'AAAA', name: string): Promise<string[]> {
    const found = await this.#ask(type, name)
    if (found.length === 0) this.#voidLookups += 1
    if (this.#voidLookups > voidLookupsMax)
      throw new InvalidSpf(
        `The record names more than ${voidLookupsMax} hosts that do not exist, so receivers ignore it.`,
      )
    return found
  }

  async #ask(type: 'TXT' | 'MX' | 'A' | 'AAAA', name: string): Promise<string[]> {
    const found = await this.#dns.find(type, name)
    if (found === null) throw new Unknown('The name servers did not respond in time.')
    return found
  }

  #isIn(network: string, bits: SpfTerm['bits']): boolean {
    if (!ipaddr.isValid(network)) return false
    const [one, other] = [ipaddr.parse(this.#address), ipaddr.parse(network)]
    if (one instanceof ipaddr.IPv4 && other instanceof ipaddr.IPv4) return one.match(other, bits.v4)
    if (one instanceof ipaddr.IPv6 && other instanceof ipaddr.IPv6) return one.match(other, bits.v6)
    return false
  }
}
