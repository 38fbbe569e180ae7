import { isIPv4, isIPv6 } from 'node:net'

/** The record is one that receivers do not evaluate. */
export class InvalidSpf extends Error {}

export interface SpfTerm {
  qualifier: string
  mechanism: string
  /** An address, or the name of a domain; empty for the domain of the record. */
  target: string
  bits: { v4: number; v6: number }
}

const termsMax = 100
const nameMaxLength = 253
const mechanisms = ['all', 'include', 'a', 'mx', 'ptr', 'exists', 'ip4', 'ip6']

/**
 * Returns the terms up to the one that decides everything, and where to go on without one. Throws as a receiver gives up:
 * one term that it cannot read is enough, wherever it stands (RFC 7208, section 4.6).
 */
export function readSpfTerms(record: string): { terms: SpfTerm[]; redirect: string | undefined } {
  const texts = record.split(/ +/).slice(1).filter(Boolean)
  if (texts.length > termsMax) throw new InvalidSpf(`The record has more than ${termsMax} terms.`)
  const terms: SpfTerm[] = []
  const modifiers = new Map<string, string>()
  for (const text of texts) {
    const [, name, value = ''] = /^([a-z][\w.-]*)=(.*)$/i.exec(text) ?? []
    if (name === undefined) terms.push(readTerm(text))
    else addModifier(modifiers, { name: name.toLowerCase(), value, text })
  }
  const end = terms.findIndex(({ mechanism }) => mechanism === 'all')
  if (end >= 0) return { terms: terms.slice(0, end + 1), redirect: undefined }
  return { terms, redirect: modifiers.get('redirect') }
}

/** Returns a record that allows a term as well: before the first term that decides everything. */
export function withSpfTerm(record: string, added: string): string {
  const terms = record.split(/ +/).filter(Boolean)
  const end = terms.findIndex((text) => /^(?:[+?~-]?all|redirect=.*)$/i.test(text))
  return [...terms.slice(0, end < 0 ? undefined : end), added, ...(end < 0 ? [] : terms.slice(end))].join(' ')
}

/** Unknown modifiers are ignored as long as their text can be read. */
function addModifier(
  modifiers: Map<string, string>,
  { name, value, text }: { name: string; value: string; text: string },
): void {
  const isKnown = name === 'redirect' || name === 'exp'
  if (isKnown && modifiers.has(name)) throw new InvalidSpf(`The record has ${name}= more than once.`)
  if (isKnown ? !isName(value) : !isText(value)) throw unknown(text)
  modifiers.set(name, nameOf(value))
}

function readTerm(text: string): SpfTerm {
  const [, sign = '', word = ''] = /^([+?~-]?)([a-z0-9]+)(?=[:/]|$)/i.exec(text) ?? []
  const mechanism = word.toLowerCase()
  const rest = text.slice(sign.length + word.length)
  const parsed = mechanisms.includes(mechanism) ? readRest(mechanism, rest) : undefined
  if (parsed === undefined) throw unknown(text)
  return { qualifier: sign || '+', mechanism, ...parsed }
}

type Rest = Pick<SpfTerm, 'target' | 'bits'>

/** Reads what follows the name of a mechanism; undefined where its syntax does not allow it. */
function readRest(mechanism: string, rest: string): Rest | undefined {
  if (mechanism === 'ip4' || mechanism === 'ip6') return readNetwork(mechanism, rest)
  if (mechanism === 'a' || mechanism === 'mx') return readHosts(rest)
  const bits = { v4: 32, v6: 128 }
  if (rest === '') return mechanism === 'all' || mechanism === 'ptr' ? { target: '', bits } : undefined
  const isNamed = mechanism !== 'all' && rest.startsWith(':') && isName(rest.slice(1))
  return isNamed ? { target: nameOf(rest.slice(1)), bits } : undefined
}

function readNetwork(mechanism: 'ip4' | 'ip6', rest: string): Rest | undefined {
  const [, target = '', length] = /^:([^/]*)(?:\/(0|[1-9]\d{0,2}))?$/.exec(rest) ?? []
  const max = mechanism === 'ip4' ? 32 : 128
  const isAddress = mechanism === 'ip4' ? isIPv4(target) : isIPv6(target) && !target.includes('%')
  const bits = Number(length ?? max)
  return isAddress && bits <= max ? { target, bits: { v4: bits, v6: bits } } : undefined
}

/** Reads `:name/24//64` of `a` and `mx`, each part of which may be left out. */
function readHosts(rest: string): Rest | undefined {
  const lengths = /(?:\/(0|[1-9]\d?))?(?:\/\/(0|[1-9]\d{0,2}))?$/.exec(rest)
  const [suffix = '', four = '32', six = '128'] = lengths ?? []
  const name = rest.slice(0, rest.length - suffix.length)
  const bits = { v4: Number(four), v6: Number(six) }
  if (bits.v4 > 32 || bits.v6 > 128) return undefined
  if (name === '') return { target: '', bits }
  return name.startsWith(':') && isName(name.slice(1)) ? { target: nameOf(name.slice(1)), bits } : undefined
}

/** A name with at least two parts, or one that ends with a macro. */
function isName(text: string): boolean {
  if (text.length > nameMaxLength) throw new InvalidSpf('The record names a domain that is too long.')
  if (!isText(text)) return false
  if (/%(?:\{[^{}]*\}|[%_-])$/.test(text)) return true
  const [, last = ''] = /\.([^.]+)\.?$/.exec(text) ?? []
  return /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/i.test(last) && !/^\d+$/.test(last)
}

/** Visible characters of ASCII, with a percent sign in macros alone. */
function isText(text: string): boolean {
  if (!/^[!-~]*$/.test(text)) return false
  return !text.replaceAll(/%(?:\{[a-z]\d*r?[-.+,/_=]*\}|[%_-])/gi, '').includes('%')
}

/** Names of the DNS have no case. */
function nameOf(text: string): string {
  return text.toLowerCase().replace(/\.$/, '')
}

function unknown(text: string): InvalidSpf {
  return new InvalidSpf(`The record has a term that receivers do not know: ${text.slice(0, 80)}`)
}
