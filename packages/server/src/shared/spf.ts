import ipaddr from 'ipaddr.js'
import type { DnsRecords } from '../ports/dns-records.ts'

/** The servers that a domain has to allow: by their addresses, or by the record of a provider whose servers change. */
export type SpfNeed = { addresses: readonly string[] } | { include: string }

export interface SpfResult {
  /** Null: it cannot be said. */
  ok: boolean | null
  /** One sentence about why it is not true; null where it is. */
  reason: string | null
}

/** RFC 7208, section 4.6.4: a receiver gives up after as many. */
const lookupsMax = 10
const timeoutMs = 5_000
const termsMax = 100
const nameMaxLength = 253

class Unknown extends Error {}
class Invalid extends Error {}

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
    if ('include' in need) return await judgeInclude(dns, { domain, record, include: need.include })
    for (const address of need.addresses) {
      if ((await new Evaluation(dns, address).check(domain, record)) === '+') continue
      return { ok: false, reason: `The record does not allow ${address}, which the mail leaves from.` }
    }
    return { ok: true, reason: null }
  } catch (error) {
    if (error instanceof Unknown) return { ok: null, reason: error.message }
    if (error instanceof Invalid) return { ok: false, reason: error.message }
    throw error
  }
}

/** A provider's record stands in the record itself, or in one that it includes. */
async function judgeInclude(
  dns: DnsRecords,
  { domain, record, include }: { domain: string; record: string; include: string },
): Promise<SpfResult> {
  const evaluation = new Evaluation(dns, '')
  if (await evaluation.includes(domain, { record, wanted: include })) return { ok: true, reason: null }
  return {
    ok: false,
    reason: `The record does not include ${include}, which lists the servers of the provider.`,
  }
}

/** Returns a record that allows a term as well: before the first term that decides everything. */
export function withSpfTerm(record: string, added: string): string {
  const terms = record.split(/ +/).filter(Boolean)
  const end = terms.findIndex((text) => /^(?:[+?~-]?all|redirect=.*)$/i.test(text))
  return [...terms.slice(0, end < 0 ? undefined : end), added, ...(end < 0 ? [] : terms.slice(end))].join(' ')
}

/** One evaluation, whose look-ups are counted together. */
class Evaluation {
  readonly #dns: DnsRecords
  readonly #address: string
  readonly #time = AbortSignal.timeout(timeoutMs)
  #lookups = 0

  constructor(dns: DnsRecords, address: string) {
    this.#dns = dns
    this.#address = address
  }

  /** Returns the qualifier of the first term that matches the address; `?` for none. */
  async check(domain: string, record: string): Promise<string> {
    const { terms, redirect } = readTerms(record)
    for (const { qualifier, mechanism, target, bits } of terms) {
      const name = target === '' ? domain : target
      if (await this.#matches({ mechanism, name, target, bits })) return qualifier
    }
    return redirect === undefined ? '?' : this.check(redirect, await this.#recordOf(redirect))
  }

  /** Whether a record names another one in an `include` or a `redirect`, or one that it includes does. */
  async includes(domain: string, { record, wanted }: { record: string; wanted: string }): Promise<boolean> {
    const { terms, redirect } = readTerms(record)
    const names = terms.filter(({ mechanism, qualifier }) => mechanism === 'include' && qualifier === '+')
    const targets = [...names.map(({ target }) => target), ...(redirect === undefined ? [] : [redirect])]
    if (targets.includes(wanted)) return true
    for (const name of targets)
      if (name !== domain && (await this.includes(name, { record: await this.#recordOf(name), wanted })))
        return true
    return false
  }

  async #matches({
    mechanism,
    name,
    target,
    bits,
  }: Omit<Term, 'qualifier'> & { name: string }): Promise<boolean> {
    if (mechanism === 'all') return true
    if (mechanism === 'ip4' || mechanism === 'ip6') return this.#isIn(target, bits)
    if (mechanism === 'include') return (await this.check(name, await this.#recordOf(name))) === '+'
    if (mechanism === 'a') return (await this.#addressesOf(name)).some((found) => this.#isIn(found, bits))
    if (mechanism === 'exists') return (await this.#find('A', name)).length > 0
    // RFC 7208, section 5.5: nobody should use it, and many receivers do not evaluate it.
    if (mechanism === 'ptr') return false
    const servers = (await this.#find('MX', name)).slice(0, lookupsMax)
    for (const server of servers) {
      const found = await this.#hostAddresses(server.slice(server.indexOf(' ') + 1))
      if (found.some((one) => this.#isIn(one, bits))) return true
    }
    return false
  }

  async #recordOf(domain: string): Promise<string> {
    const record = spfRecordOf(await this.#find('TXT', domain))
    if (record === undefined) throw new Invalid(`The record names ${domain}, which has no record of SPF.`)
    return record
  }

  async #addressesOf(name: string): Promise<string[]> {
    this.#count()
    return this.#hostAddresses(name)
  }

  /** Only those of the kind of the address, as a receiver asks. */
  #hostAddresses(name: string): Promise<string[]> {
    return this.#ask(this.#address.includes(':') ? 'AAAA' : 'A', name)
  }

  async #find(type: 'TXT' | 'MX' | 'A', name: string): Promise<string[]> {
    this.#count()
    return this.#ask(type, name)
  }

  #count(): void {
    this.#lookups += 1
    if (this.#lookups > lookupsMax)
      throw new Invalid(`The record needs more than ${lookupsMax} look-ups, so receivers ignore it.`)
  }

  async #ask(type: 'TXT' | 'MX' | 'A' | 'AAAA', name: string): Promise<string[]> {
    if (name.includes('%')) throw new Unknown('The record has macros, which are not evaluated here.')
    const found = this.#time.aborted ? null : await this.#dns.find(type, name)
    if (found === null) throw new Unknown('The name servers did not respond in time.')
    return found
  }

  #isIn(network: string, bits: { v4: number; v6: number }): boolean {
    if (!ipaddr.isValid(network)) return false
    const [one, other] = [ipaddr.parse(this.#address), ipaddr.parse(network)]
    if (one instanceof ipaddr.IPv4 && other instanceof ipaddr.IPv4) return one.match(other, bits.v4)
    if (one instanceof ipaddr.IPv6 && other instanceof ipaddr.IPv6) return one.match(other, bits.v6)
    return false
  }
}

interface Term {
  qualifier: string
  mechanism: string
  target: string
  bits: { v4: number; v6: number }
}

/** Returns the terms up to the one that decides everything. Throws `Invalid` as a receiver gives up. */
function readTerms(record: string): { terms: Term[]; redirect: string | undefined } {
  const terms: Term[] = []
  let redirect: string | undefined
  const texts = record.split(/ +/).slice(1).filter(Boolean)
  if (texts.length > termsMax) throw new Invalid(`The record has more than ${termsMax} terms.`)
  for (const text of texts) {
    const [, to] = /^redirect=(.+)$/i.exec(text) ?? []
    if (to !== undefined) redirect = nameOf(to)
    else if (!/^[a-z][\w.-]*=/i.test(text)) terms.push(readTerm(text))
  }
  const isDecided = terms.some(({ mechanism }) => mechanism === 'all')
  return { terms, redirect: isDecided ? undefined : redirect }
}

function readTerm(text: string): Term {
  const found = splitTerm(text)
  if (found === undefined)
    throw new Invalid(`The record has a term that receivers do not know: ${text.slice(0, 80)}`)
  return found
}

function splitTerm(text: string): Term | undefined {
  const [, sign = '', word = ''] = /^([+?~-]?)([a-z0-9]+)(?=[:/]|$)/i.exec(text) ?? []
  const mechanism = word.toLowerCase()
  if (!['all', 'include', 'a', 'mx', 'ptr', 'exists', 'ip4', 'ip6'].includes(mechanism)) return undefined
  const rest = text.slice(sign.length + word.length)
  const [, target = '', four, six] = /^(?::([^/]*))?(?:\/(\d{1,3}))?(?:\/\/(\d{1,3}))?$/.exec(rest) ?? []
  if (rest !== '' && target === '' && four === undefined && six === undefined) return undefined
  const isV6 = mechanism === 'ip6'
  const bits = { v4: bitsOf(isV6 ? undefined : four, 32), v6: bitsOf(isV6 ? four : six, 128) }
  const isAddress = mechanism === 'ip4' || isV6
  return { qualifier: sign || '+', mechanism, target: isAddress ? target : nameOf(target), bits }
}

function bitsOf(text: string | undefined, max: number): number {
  return text === undefined ? max : Math.min(Number(text), max)
}

/** Names of the DNS are short and have no case. */
function nameOf(text: string): string {
  if (text.length > nameMaxLength) throw new Invalid('The record names a domain that is too long.')
  return text.toLowerCase().replace(/\.$/, '')
}
