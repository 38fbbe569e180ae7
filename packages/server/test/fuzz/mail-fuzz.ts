import { contentLengthMax } from '@crmkit/core'
import type { MailFacts } from '../../src/mail/parse/mail-facts.ts'
import { MailRefused } from '../../src/mail/parse/mail-refused.ts'
import { findQuotations } from '../../src/mail/parse/quotations.ts'
import type { MailParser } from '../../src/mail/parser-process/mail-parser.ts'
import type { Random } from '../faults/support/random.ts'
import { corpus } from '../mail/corpus/corpus.ts'
import { knownThread } from '../mail/corpus/known-thread.ts'

/** Pieces of mails at which parsers fail. */
const pieces = [
  '\r\n\r\n',
  '\n--b1\n',
  '\r\n--b1--\r\n',
  'Content-Type: multipart/mixed; boundary=b1\r\n',
  'Content-Type: message/delivery-status\r\n\r\nFinal-Recipient: rfc822; \r\n',
  'Content-Transfer-Encoding: base64\r\n',
  '=?utf-8?B?',
  '?==?iso-2022-jp?Q?=1b$B?=',
  '<blockquote>'.repeat(50),
  '<!--',
  '<a href="javascript:x()">',
  '\u0000',
  '\u001b$B',
  '(((((((',
  '<<<<@@@@>>>>',
  '"\\"',
  ';'.repeat(500),
  "filename*0*=utf-8''%",
  '+AAA',
  '\ud83d\ude00'.repeat(20),
]

/** Returns a mail of the corpus after a few changes. */
function mutatedMail(random: Random): Buffer {
  let bytes = Buffer.from(random.pick(corpus).raw)
  // A huge one adds time and nothing else.
  if (bytes.length > 20_000) bytes = bytes.subarray(0, 20_000)
  for (let count = 1 + random.below(6); count > 0; count--) bytes = mutated(bytes, random)
  return bytes
}

function mutated(bytes: Buffer, random: Random): Buffer<ArrayBuffer> {
  const at = random.below(bytes.length + 1)
  const head = bytes.subarray(0, at)
  const tail = bytes.subarray(at)
  switch (random.below(6)) {
    case 0:
      return Buffer.from(head)
    case 1:
      return Buffer.concat([head, tail.subarray(random.below(40))])
    case 2:
      return Buffer.concat([head, Buffer.from(random.pick(pieces)), tail])
    case 3:
      return Buffer.concat([head, random.pick(corpus).raw.subarray(0, 2_000), tail])
    case 4:
      return Buffer.concat([head, tail.subarray(0, 200), tail])
    default:
      return Buffer.concat([head, Buffer.from([random.below(256)]), tail.subarray(1)])
  }
}

/** The only image that loads something: one of the mail's own files. */
const ownImage =
  /<img src="\/api\/v1\/attachments\/att_-+\d+" alt="[^"<>]*"(?: (?:width|height)="\d{1,4}")* \/>/g

/** The place of an image of the web: without a source it loads nothing. */
const remoteImage = /<img data-remote="https?:\/\/[^"<>]*" alt="[^"<>]*"(?: (?:width|height)="\d{1,4}")* \/>/g

function isBalanced(html: string): boolean {
  let depth = 0
  for (const [, slash, end] of html.matchAll(/<(\/?)[a-z][^<>]*?(\/?)>/g)) {
    if (end !== '/') depth += slash === '/' ? -1 : 1
    if (depth < 0) return false
  }
  return depth === 0
}

/** Returns the rules that the facts of a mail break; every mail keeps them, whatever it holds. */
function brokenRules({ content, contentType, subject, from, to, cc, files, date }: MailFacts): string[] {
  const quoted = findQuotations(content, contentType, knownThread)
  const texts = [content, subject, ...[...from, ...to, ...cc].map(({ name }) => name ?? '')]
  const rules: Record<string, boolean> = {
    'texts are well-formed': texts.every((text) => text.isWellFormed()),
    'texts hold no control characters': texts.every((text) => !/[\u0000-\u0008\u000e-\u001f]/.test(text)),
    'a header holds no line break': !/[\r\n]/.test([subject, ...texts.slice(2)].join('')),
    'the content fits into a message': content.length <= contentLengthMax,
    'HTML runs and loads nothing':
      contentType === 'text' ||
      !/<(script|style|img|iframe|svg|form|input)|<[^>]*\son\w+=|<a(?: [a-z-]+="[^"]*")*? href="(?!https?:|mailto:|tel:)/i.test(
        content.replace(ownImage, '').replace(remoteImage, ''),
      ),
    'quotations follow each other in the content': quoted.every(
      ({ from, to }, at) => from >= (quoted[at - 1]?.to ?? 0) && from < to && to <= content.length,
    ),
    'quotations in HTML are whole elements':
      contentType === 'text' || quoted.every(({ from, to }) => isBalanced(content.slice(from, to))),
    'addresses are addresses': [...from, ...to, ...cc].every(({ address }) =>
      /^[^\s<>,]+@[^\s<>,]+$/.test(address),
    ),
    'names of files are no paths': files.every(
      ({ filename }) => filename === null || !/[/\\]/.test(filename),
    ),
    'dates are moments': date === null || !Number.isNaN(Date.parse(date)),
  }
  return Object.entries(rules).flatMap(([rule, isKept]) => (isKept ? [] : [rule]))
}

export interface MailFuzzReport {
  read: number
  refused: number
  /** Each with the mail, so that it can be read again. */
  faults: string[]
}

/** Reads mutated mails in the parser's process. */
export async function fuzzMails(
  parser: MailParser,
  { random, cases }: { random: Random; cases: number },
): Promise<MailFuzzReport> {
  const report: MailFuzzReport = { read: 0, refused: 0, faults: [] }
  for (let count = 0; count < cases; count++) {
    const raw = mutatedMail(random)
    const note = (fault: string) => report.faults.push(`${fault}: ${raw.toString('base64')}`)
    try {
      const facts = await parser.parse(once(raw), async (mail) => mail.facts)
      report.read += 1
      for (const rule of brokenRules(facts)) note(rule)
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error
      report.refused += 1
      // A mail of this size has a reason to be refused only in its structure.
      if (error.reason !== 'too_complex') note(error.reason)
    }
  }
  return report
}

async function* once(raw: Buffer): AsyncGenerator<Uint8Array> {
  yield raw
}
