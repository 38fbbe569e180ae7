import {
  createCustomer,
  foldCase,
  foldLabel,
  isEmail,
  normalizeEmail,
  normalizeText,
  safeFilename,
  unknownVariablesOf,
} from '@crmkit/core'
import { describe, it } from 'vitest'
import { linkify } from '../../../widget/src/browser/frame/linkify.ts'
import { cleanText } from '../../src/connectors/clean-text.ts'
import { mappingOf } from '../../src/connectors/files/suggest-mapping.ts'
import { mailIdentity } from '../../src/mail/in/mail-identity.ts'
import { verifiedSender } from '../../src/mail/in/verified-sender.ts'
import { MailRefused } from '../../src/mail/parse/mail-refused.ts'
import { findQuotations } from '../../src/mail/parse/quotations.ts'
import { readMail } from '../../src/mail/parse/read-mail.ts'
import { plainTextOf } from '../../src/shared/plain-text.ts'
import { textOf, worstUnits } from './hostile-texts.ts'
import { expectLinearCost, type ForeignText } from './linear-cost.ts'

// Each function that reads the text of a stranger, with the worst texts of its length. `every-text.test.ts` sends them to
// every field of every operation; here are the doors and the screens that no operation has.

const worst: Readonly<Record<string, string>> = {
  ...worstUnits,
  tabs: '\t',
  'blank lines': '\r\n \r\n',
  braces: '{{',
  'open brackets': '<',
  quotes: '"',
  parentheses: '(',
  stars: '*',
  'exclamation marks': '!',
  letters: 'a',
  'addresses that end in signs': 'a@b.c!,',
  'beginnings of addresses': 'https://',
  'beginnings of encoded words': '=?a?Q?',
  'beginnings of images': '<img ',
  'images of the web': '<img src=//a>',
  boxes: '<div></div>',
  announcements: 'wrote::: ',
  groups: 'a:',
}

const read = async (raw: string) => {
  try {
    return await readMail(Buffer.from(raw))
  } catch (error) {
    // A mail beyond the limits is refused, at the same cost.
    if (error instanceof MailRefused) return undefined
    throw error
  }
}
const body = (type: string) => (text: string) =>
  read(`From: a@b.test\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n${text}\r\n`)
const header = (name: string) => (text: string) =>
  read(`${name}: ${text.replace(/\s+/g, ' ')}\r\n\r\nHello\r\n`)
const part = (head: string) => (text: string) =>
  read(
    `From: a@b.test\r\nContent-Type: multipart/report; boundary=b\r\n\r\n--b\r\n${head}\r\n\r\n${text}\r\n--b--\r\n`,
  )

/** Every line may be a quotation, and announce another one. */
const quotationsIn = (content: string, contentType: string) =>
  findQuotations(content, contentType, {
    texts: [content, `a b c d e ${content}`, content.toUpperCase()].map((known) => ({
      messageId: null,
      parts: [{ content: known, contentType }],
    })),
    addresses: ['a@b.c'],
    names: ['wrote', 'a'],
  })

const functions: Readonly<Record<string, ForeignText>> = {
  'the text of HTML that is stored': async (text) =>
    plainTextOf((await body('text/html')(text))?.facts.content ?? ''),
  'the variables of a signature': (text) => unknownVariablesOf(`{{${text.slice(1)}`),
  'links of the widget': linkify,
  'a cell of an import': (text) => cleanText(text, { lengthMax: 65_536, hasLines: true }),
  'a header of an import': (text) => mappingOf('Contacts', { headers: [text] }),
  'the normal forms': (text) => [
    normalizeText(text, 'NFKD'),
    foldCase(text),
    foldLabel(text),
    normalizeEmail(text),
  ],
  'the form of an address': isEmail,
  'a name of a file': safeFilename,
  'a field of a customer': (text) => createCustomer.request.body.safeParse({ lastName: text }),
  'by what a mail is known': (text) => mailIdentity({ inboxId: 'inb_1', pieces: [Buffer.from(text)] }),
  'the verdict of a server': (text) =>
    verifiedSender({
      from: [{ address: 'a@b.test' }],
      authenticationResults: `mx.test; ${text}`,
      authservIds: ['mx.test'],
    }),
  'HTML of a mail': body('text/html'),
  'text of a mail': body('text/plain'),
  'quotations of a text': (text) => quotationsIn(text, 'text'),
  'quotations of HTML': async (text) =>
    quotationsIn((await body('text/html')(text))?.facts.content ?? '', 'html'),
  'flowed text of a mail': body('text/plain; format=flowed'),
  'a body in base64': (text) =>
    read(`From: a@b.test\r\nContent-Transfer-Encoding: base64\r\n\r\n${text}\r\n`),
  'a body in quoted-printable': (text) =>
    read(`From: a@b.test\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${text}\r\n`),
  'a report of a mail': part('Content-Type: message/delivery-status'),
  ...Object.fromEntries(
    ['From', 'Reply-To', 'Subject', 'References', 'Date', 'Content-Type', 'Authentication-Results'].map(
      (name) => [`the header ${name}`, header(name)],
    ),
  ),
  'a name of a file in a mail': (text) =>
    part(`Content-Type: application/pdf; name="${text.replace(/[\s"]+/g, ' ')}"`)('x'),
}

describe.each(Object.entries(functions))('%s costs in proportion to its length', (_, readText) => {
  it.each(Object.entries(worst))('of %s', (_unit, unit) =>
    expectLinearCost(readText, (length) => textOf(unit, length)),
  )
})
