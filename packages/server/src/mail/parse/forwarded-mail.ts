import { readAddresses } from './mail-addresses.ts'
import type { MailFacts } from './mail-facts.ts'
import { timeOfMail } from './mail-time.ts'
import { readLines } from './text-lines.ts'

/** Prefixes of a forwarded subject in the languages of the common mail programs. */
const forwardedSubject = /^\s*(?:fwd?|wg|tr|rv|i|enc|vs|vb|vl|doorst|pd|továbbítás|转发|轉寄|転送)\s*[:：]/iu
const header = /^[*>\s]{0,20}\p{L}[^:：]{0,30}[:：]\s*\S/u
const headersMin = 3
const headersMax = 8
const linesMax = 200

/** Returns the sender of the mail that a mail forwards, by the headers that programs write above it; null for none. */
export function readForward(
  { content, contentType }: Pick<MailFacts, 'content' | 'contentType'>,
  subject: string,
): MailFacts['forwardedFrom'] {
  if (!forwardedSubject.test(subject.slice(0, 100))) return null
  const lines = readLines(content, contentType)
    .lines.filter(({ firstWord, endWord }) => firstWord < endWord)
    .slice(0, linesMax)
    .map(({ shown }) => shown.slice(0, 1_000))
  const start = lines.findIndex((_, at) => isHeaderBlock(lines.slice(at, at + headersMin)))
  if (start === -1) return null
  const [from = '', ...others] = lines.slice(start, start + headersMax)
  const [sender] = readAddresses([headerTextOf(from)])
  if (sender === undefined) return null
  const end = others.findIndex((line) => !header.test(line))
  const times = others.slice(0, end === -1 ? others.length : end).map((line) => timeOf(headerTextOf(line)))
  return { ...sender, date: times.find((time) => time !== null) ?? null }
}

/** The first header of a forwarded mail is its sender. */
function isHeaderBlock(lines: readonly string[]): boolean {
  return (
    lines.length === headersMin &&
    lines.every((line) => header.test(line)) &&
    lines[0]?.includes('@') === true
  )
}

function headerTextOf(line: string): string {
  return line
    .slice(line.search(/[:：]/) + 1)
    .replace(/\bmailto:|\*/g, '')
    .trim()
}

function timeOf(text: string): string | null {
  if (!/\b(?:19|20)\d\d\b/.test(text)) return null
  // Gmail writes `at` between the day and the time.
  const time = timeOfMail(text.slice(0, 100).replace(/\bat\b/, ' '))
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}
