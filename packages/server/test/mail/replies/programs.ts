import type { Language } from './languages.ts'
import { flowed, markedText, quotedText, unmarkedText, wrapped } from './text-forms.ts'

/** A mail of the desk as its receiver reads it, and who took part in it. */
export interface SentMail {
  text: string
  html: string
  subject: string
  desk: { name: string; address: string }
  customer: { name: string; address: string }
}

export type Posting = 'above' | 'below' | 'inside'
export const postings: readonly Posting[] = ['above', 'below', 'inside']

export interface Reply {
  /** Undefined: the program sends text alone. */
  html?: string
  text: string
  format?: 'flowed'
  /** The words of the customer, in their order. */
  own: string[]
}

/** Writes the reply to a mail as a program does it, by the documented shape of that. */
type Program = (mail: SentMail, language: Language, posting: Posting) => Reply

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
const bodyOf = (html: string) => html.replace(/\r?\n/g, '\r\n')

interface Frame {
  /** Own words in the form of the program. */
  words(text: string): string
  /** The quotation with its announcement; `inner` is put into it. */
  quotation(inner: string): string
  /** A signature that the program adds to what is typed. */
  added?: string
}

/** Own words stand behind the first and the third paragraph of the desk, where a person replies to them. */
const innerPlaces = [0, 2]

/** Puts the words of the customer above, below, or into the quotation. */
function placed(frame: Frame, { own: [first, second, third], sentFrom }: Language, posting: Posting) {
  const added = frame.added === undefined ? '' : frame.words(sentFrom)
  const { words, quotation } = frame
  if (posting === 'above') return words(first) + words(third) + added + quotation('')
  if (posting === 'below') return quotation('') + words(first) + words(third) + added
  return words(first) + quotation(words(second)) + words(third) + added
}

function ownWords({ own: [first, second, third], sentFrom }: Language, posting: Posting, isAdded = false) {
  const typed = posting === 'inside' ? [first, ...innerPlaces.map(() => second), third] : [first, third]
  return isAdded ? [...typed, sentFrom] : typed
}

function splitHtml(html: string, inner: string): string {
  if (inner === '') return bodyOf(html)
  // The places behind which a block of the mail ends, outside of lists.
  const ends = [...html.matchAll(/<\/p>\n?(?!\n*<\/)|<br>\s*<br>\s*|<\/[ou]l>\n?/g)].map(
    ({ index, 0: { length } }) => index + length,
  )
  const chosen = ends.filter((_, at) => innerPlaces.includes(at))
  const places = [...chosen, html.length, html.length].slice(0, innerPlaces.length)
  return bodyOf(places.toReversed().reduce((all, at) => all.slice(0, at) + inner + all.slice(at), html))
}

function splitText(text: string, inner: string): string {
  if (inner === '') return text
  const lines = text.split('\n')
  const ends = lines.flatMap((line, at) => (at > 0 && line.replace(/^[>\s]+/, '') === '' ? [at] : []))
  const chosen = ends.filter((_, at) => innerPlaces.includes(at))
  const places = [...chosen, lines.length, lines.length].slice(0, innerPlaces.length)
  return places
    .toReversed()
    .reduce<string[]>((all, at) => [...all.slice(0, at), '', inner, ...all.slice(at)], lines)
    .join('\n')
}

const htmlWords = (text: string) => `<div>${escaped(text).replace(/\n/g, '<br>')}</div><div><br></div>`
const textWords = (text: string) => `${text}\n\n`

interface InHtml {
  frame: Frame
  text: Frame
  format?: 'flowed'
}

function both({ frame, text, format }: InHtml, language: Language, posting: Posting): Reply {
  return {
    html: placed(frame, language, posting),
    text: placed(text, language, posting),
    ...(format && { format }),
    own: ownWords(language, posting, frame.added !== undefined),
  }
}

function gmailOf(isMobile: boolean): Program {
  return (mail, language, posting) => {
    const { desk } = mail
    const line = language.gmail(desk.name, desk.address)
    const link = `&lt;<a href="mailto:${desk.address}">${desk.address}</a>&gt;`
    const attr = escaped(line).replace(`&lt;${desk.address}&gt;`, link)
    const start = isMobile ? '<div dir="auto">' : '<div dir="ltr">'
    return both(
      {
        frame: {
          words: (words) => `${start}${htmlWords(words)}</div>`,
          quotation: (inner) =>
            `<br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">${attr}<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">${splitHtml(mail.html, inner)}</blockquote></div>`,
        },
        text: {
          words: textWords,
          quotation: (inner) =>
            `${wrapped(line, 78)}\n\n${splitText(quotedText(wrapped(markedText(mail.html), 76)), inner)}\n\n`,
        },
      },
      language,
      posting,
    )
  }
}

/** The headers that Outlook writes above a quotation. */
function outlookHeaders({ desk, customer, subject }: SentMail, { labels, outlookDate }: Language) {
  return [
    [labels.from, `${desk.name} <${desk.address}>`],
    [labels.sent, outlookDate],
    [labels.to, `${customer.name} <${customer.address}>`],
    [labels.subject, subject],
  ] as const
}

const boldHeaders = (headers: readonly (readonly [string, string])[]) =>
  headers.map(([label, value]) => `<b>${label}:</b> ${escaped(value)}`).join('<br>')
const plainHeaders = (headers: readonly (readonly [string, string])[]) =>
  headers.map(([label, value]) => `${label}: ${value}`).join('\n')

/** Word makes a paragraph of each line, and wraps its source. */
function asWord(html: string): string {
  const lines = html
    .replace(/<div[^>]*>|<p>|<blockquote[^>]*>/g, '<p class="MsoNormal">')
    .replace(/<\/div>|<\/blockquote>/g, '<o:p></o:p></p>')
    .replace(/<br>\n?/g, '<br>\n')
    .replace(/<li>/g, '<li class="MsoListParagraph" style="mso-list:l0 level1 lfo1">')
  return wrapped(lines, 76)
}

const outlook: Program = (mail, language, posting) => {
  const headers = outlookHeaders(mail, language)
  const words = (text: string) =>
    `<p class="MsoNormal">${escaped(text).replace(/\n/g, '<br>\n')}<o:p></o:p></p><p class="MsoNormal"><o:p>&nbsp;</o:p></p>`
  const reply = both(
    {
      frame: {
        words,
        quotation: (inner) =>
          `<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal">${boldHeaders(headers)}<o:p></o:p></p></div></div><p class="MsoNormal"><o:p>&nbsp;</o:p></p>${asWord(splitHtml(mail.html, inner))}`,
      },
      text: {
        words: textWords,
        quotation: (inner) => `${plainHeaders(headers)}\n\n${splitText(unmarkedText(mail.html), inner)}\n\n`,
      },
    },
    language,
    posting,
  )
  return {
    ...reply,
    html: `<html><body lang="EN-US"><div class="WordSection1">${reply.html}</div></body></html>`,
  }
}

function outlookWebOf(isMobile: boolean): Program {
  return (mail, language, posting) => {
    const headers = outlookHeaders(mail, language)
    const rule = '<hr style="display:inline-block;width:98%" tabindex="-1">'
    const head = `<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" color="#000000" style="font-size:11pt">${boldHeaders(headers)}</font><div>&nbsp;</div></div>`
    const quoted = (inner: string) =>
      isMobile
        ? `<div id="mail-editor-reference-message-container" class="ms-outlook-mobile-reference-message skipProofing">${rule}${head}${splitHtml(mail.html, inner)}</div>`
        : `<div id="appendonsend"></div>${rule}${head}<div>${splitHtml(mail.html, inner)}</div>`
    return both(
      {
        frame: {
          words: (text) => `<div class="elementToProof" style="font-family:Aptos">${htmlWords(text)}</div>`,
          quotation: quoted,
        },
        text: {
          words: textWords,
          quotation: (inner) =>
            `________________________________\n${plainHeaders(headers)}\n\n${splitText(unmarkedText(mail.html), inner)}\n`,
        },
      },
      language,
      posting,
    )
  }
}

function appleOf(isPhone: boolean): Program {
  return (mail, language, posting) => {
    const { desk } = mail
    const line = language.apple(desk.name, desk.address)
    const frame: Frame = {
      words: (text) => `<div>${htmlWords(text)}</div>`,
      quotation: (inner) =>
        isPhone
          ? `<div dir="ltr"><br><blockquote type="cite">${escaped(line)}<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">\ufeff${splitHtml(mail.html, inner)}</div></blockquote>`
          : `<div><br><blockquote type="cite"><div>${escaped(line)}</div><br class="Apple-interchange-newline"><div>${splitHtml(mail.html, inner)}</div></blockquote></div><br>`,
      ...(isPhone && { added: 'phone' }),
    }
    const text: Frame = {
      ...frame,
      words: textWords,
      quotation: (inner) =>
        `${quotedText(`${line}\n\n`)}${splitText(quotedText(flowed(unmarkedText(mail.html))), inner)}\n\n`,
    }
    return both({ frame, text, format: 'flowed' }, language, posting)
  }
}

const thunderbird: Program = (mail, language, posting) => {
  const line = language.thunderbird(mail.desk.name)
  return both(
    {
      frame: {
        words: (text) => `<p>${escaped(text).replace(/\n/g, '<br>\n')}</p>`,
        quotation: (inner) =>
          `<div class="moz-cite-prefix">${escaped(line)}<br></div><blockquote type="cite" cite="mid:1@acme.test"><meta http-equiv="content-type" content="text/html; charset=UTF-8">${splitHtml(mail.html, inner)}</blockquote>`,
      },
      text: {
        words: textWords,
        quotation: (inner) => `${line}\n${splitText(quotedText(flowed(mail.text)), inner)}\n\n`,
      },
      format: 'flowed',
    },
    language,
    posting,
  )
}

const yahoo: Program = (mail, language, posting) => {
  const { desk } = mail
  const line = language.yahoo(desk.name, desk.address)
  return both(
    {
      frame: {
        words: (text) => `<div class="yahoo-style-wrap">${htmlWords(text)}</div>`,
        quotation: (inner) =>
          `<div id="yahoo_quoted_1" class="yahoo_quoted"><div style="color:#26282a;"><div>${escaped(line)}</div><div><br></div><div><br></div><div><div id="yiv1">${splitHtml(mail.html.replace(/class="/g, 'class="yiv1'), inner)}</div></div></div></div>`,
      },
      text: {
        words: textWords,
        quotation: (inner) =>
          `    ${line}  \n \n ${splitText(wrapped(unmarkedText(mail.html), 76), inner)}  \n\n`,
      },
    },
    language,
    posting,
  )
}

const gmx: Program = (mail, language, posting) => {
  const { desk, customer, subject } = mail
  const { labels, gmxDate } = language
  const headers = [
    [labels.sent, gmxDate],
    [labels.from, `"${desk.name}" <${desk.address}>`],
    [labels.to, customer.address],
    [labels.subject, subject],
  ] as const
  const bold = headers.map(([label, value]) => `<b>${label}:</b>&nbsp;${escaped(value)}`).join('<br/>')
  return both(
    {
      frame: {
        words: (text) => `<div>${escaped(text).replace(/\n/g, '<br/>')}</div>`,
        quotation: (inner) =>
          `<div>&nbsp;<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5;"><div style="margin:0 0 10px 0;">${bold}</div><div name="quoted-content">${splitHtml(mail.html, inner)}</div></div></div>`,
      },
      text: {
        words: textWords,
        quotation: (inner) =>
          `${quotedText(plainHeaders(headers))}\n>\n${splitText(quotedText(unmarkedText(mail.html)), inner)}\n\n`,
      },
    },
    language,
    posting,
  )
}

const samsung: Program = (mail, language, posting) => {
  const { desk, customer, subject } = mail
  const { labels, original, originalDate, date } = language
  const headers = [
    `-------- ${original} --------`,
    `${labels.from}: ${desk.name} <${desk.address}> `,
    `${date}: ${originalDate} `,
    `${labels.to}: ${customer.address} `,
    `${labels.subject}: ${subject} `,
  ]
  return both(
    {
      frame: {
        words: htmlWords,
        quotation: (inner) =>
          `<div><br></div><div style="font-size:100%;color:#000000">${headers.map((line) => `<div>${escaped(line)}</div>`).join('')}<div><br></div></div>${splitHtml(mail.html, inner)}`,
      },
      text: {
        words: textWords,
        quotation: (inner) => `${headers.join('\n')}\n${splitText(unmarkedText(mail.html), inner)}\n`,
      },
    },
    language,
    posting,
  )
}

const proton: Program = (mail, language, posting) => {
  const line = language.proton(mail.desk.name, mail.desk.address)
  return both(
    {
      frame: {
        words: htmlWords,
        quotation: (inner) =>
          `<div class="protonmail_quote">${escaped(line)}<br><br><blockquote class="protonmail_quote" type="cite">${splitHtml(mail.html, inner)}</blockquote><br></div>`,
      },
      text: {
        words: textWords,
        quotation: (inner) => `${line}\n\n${splitText(quotedText(unmarkedText(mail.html)), inner)}\n\n`,
      },
    },
    language,
    posting,
  )
}

/** Programs that quote the text alone, and wrap their own lines at 72 columns. */
const k9: Program = (mail, language, posting) => {
  const line = language.k9(mail.desk.name, mail.desk.address)
  const text: Frame = {
    words: textWords,
    quotation: (inner) => `${line}\n${splitText(quotedText(wrapped(mail.text, 70)), inner)}\n\n`,
  }
  return { text: placed(text, language, posting), own: ownWords(language, posting) }
}

const textOnly =
  (program: Program): Program =>
  (mail, language, posting) => {
    const { html: _, ...reply } = program(mail, language, posting)
    return reply
  }

const withHtml: Readonly<Record<string, Program>> = {
  Gmail: gmailOf(false),
  'Gmail for phones': gmailOf(true),
  Outlook: outlook,
  'Outlook on the web': outlookWebOf(false),
  'Outlook for phones': outlookWebOf(true),
  'Apple Mail': appleOf(false),
  iPhone: appleOf(true),
  Thunderbird: thunderbird,
  Yahoo: yahoo,
  GMX: gmx,
  Samsung: samsung,
  Proton: proton,
}

export const programs: Readonly<Record<string, Program>> = {
  ...withHtml,
  ...Object.fromEntries(
    Object.entries(withHtml).map(([name, program]) => [`${name}, text`, textOnly(program)]),
  ),
  'K-9': k9,
}
