/*
 * Where the quoted text of a reply begins. Folding hides nothing that cannot be shown again, but words of the customer
 * behind the fold are read too late: when in doubt nothing is folded.
 */

const blank = /^[\s\u00a0]*$/
const quoted = /^\s{0,3}[>|]/
/** Lines that announce a quotation: `On Monday, Ada wrote:`, in the languages of the common mail programs. */
const attribution =
  /^\s*(>\s*)?\S.{0,400}(wrote|writes|schrieb|schreibt|geschrieben|a écrit|escribió|escreveu|ha scritto|schreef|skrev|kirjoitti|napisał\(a\)|napisał|napsal|пишет|написал|написала|écrit|yazdı|írta|さんは書きました|写道).{0,120}[::]\s*$/iu
/** As many characters as the expression can read. */
const attributionLengthMax = 600
const marker =
  /^\s*(-{2,}\s*(original message|ursprüngliche nachricht|originalnachricht|message d'origine|mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht|forwarded message|weitergeleitete nachricht|original appointment)\s*-{2,}|_{20,})\s*$/iu
const headerNames = {
  from: /^\s*\*?(from|von|de|da|van|från|fra|od|от|发件人|差出人)\s?\*?\s?[::]\*?\s/iu,
  date: /^\s*\*?(sent|date|gesendet|datum|envoyé( le)?|fecha|enviado( el)?|data|inviato|verzonden|skickat|sendt|wysłano|отправлено|дата|发送时间|日時)\s?\*?\s?[::]\*?\s/iu,
}

/** An announcement begins so, or it names a time or an address; `I liked what you wrote:` are words of the customer. */
const opening = /^\s*(>\s*)?(on|am|le|el|il|em|op|den|dnia|w dniu|в|на)\s/iu

/** Returns whether a line announces a quotation. */
export function isAttribution(text: string): boolean {
  const line = text.trim()
  if (line.length > attributionLengthMax) return false
  return attribution.test(line) && (opening.test(`${line} `) || /[\d@]/.test(line))
}

/** Returns whether lines begin with the headers of a mail that is quoted below them, as Outlook writes them. */
export function isHeaderBlock(lines: readonly string[]): boolean {
  const [first = '', ...next] = lines
  return (
    headerNames.from.test(`${first} `) && next.slice(0, 3).some((line) => headerNames.date.test(`${line} `))
  )
}

/** Returns whether everything below a line is quoted, because it says so. */
function isQuoteMarker(line: string): boolean {
  return marker.test(line)
}

/**
 * Returns the offset at which the quoted end of a text begins (UTF-16 units); null when nothing is quoted, when words
 * follow the quotation, and when nothing else would be left.
 */
export function quotedFromInText(text: string): number | null {
  const lines = text.split('\n')
  const start = firstQuotedLine(lines)
  if (start === undefined || lines.slice(0, start).every((line) => blank.test(line))) return null
  return lines.slice(0, start).reduce((length, line) => length + line.length + 1, 0)
}

function firstQuotedLine(lines: readonly string[]): number | undefined {
  const marked = lines.findIndex((line, at) => isQuoteMarker(line) || isHeaderBlock(lines.slice(at, at + 4)))
  if (marked !== -1) return lines.slice(0, marked).some((line) => quoted.test(line)) ? undefined : marked
  let start = lines.length
  while (start > 0 && isQuotedOrBlank(lines[start - 1])) start -= 1
  while (start < lines.length && blank.test(lines[start] ?? '')) start += 1
  if (start === lines.length) return undefined
  // A quotation further up was answered in between: the words between the two belong together.
  const own = withoutAttribution(lines, start)
  return lines.slice(0, own).some((line) => quoted.test(line)) ? undefined : own
}

function isQuotedOrBlank(line = ''): boolean {
  return blank.test(line) || quoted.test(line)
}

/** The announcement above a quotation is folded with it. Mail programs break it into up to three lines. */
function withoutAttribution(lines: readonly string[], start: number): number {
  let end = start
  while (end > 0 && blank.test(lines[end - 1] ?? '')) end -= 1
  for (let count = 3; count >= 1; count--) {
    const announced = lines.slice(Math.max(0, end - count), end)
    const isWhole = announced.length === count && !announced.some((line) => blank.test(line))
    // The words above an announcement of one line are the customer's.
    const isOpened = count === 1 || opening.test(announced[0] ?? '')
    if (isWhole && isOpened && isAttribution(announced.join(' '))) return end - count
  }
  return start
}
