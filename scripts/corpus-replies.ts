// npm run corpus -- FOLDER --replies [--show]: takes the replies among the mails and the texts of a folder, builds the mail that each of
// them quotes from its quotation, and counts what is folded when the conversation holds that mail. A quotation is recognised here by
// other means than in the service: `>` before lines, headers or a ruler above the rest, and `<blockquote>`.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { findQuotations, type QuotedThread } from '../packages/server/src/mail/parse/quotations.ts'
import { readMail } from '../packages/server/src/mail/parse/read-mail.ts'
import { readLines, type TextLine, wordsOf } from '../packages/server/src/mail/parse/text-lines.ts'

interface Reply {
  content: string
  contentType: string
}

/** For each line of a reply: its own words, those that announce a quotation, or those of the quotation. */
type Part = 'own' | 'announcement' | 'quotation'

const ruler = /^\s*(?:-{2,} ?\p{L}[^-]{3,60}-{2,}|_{20,})\s*$/u
const header = /^\s*\*?\p{L}[\p{L} ]{1,20}:\*? \S/u
const marked = /^\s{0,3}>/
const announcementLines = 3

/** Returns the parts of a reply by its lines; undefined where it quotes nothing, or says nothing itself. */
function partsOf(lines: readonly TextLine[], contentType: string): Part[] | undefined {
  const parts = lines.map(({ isQuoted, shown }): Part => {
    return isQuoted || marked.test(shown) ? 'quotation' : 'own'
  })
  const rest = contentType === 'text' && !parts.includes('quotation') ? restOf(lines) : undefined
  if (rest !== undefined) {
    parts.fill('announcement', rest.from, rest.to)
    parts.fill('quotation', rest.to)
  } else for (const [at, part] of parts.entries()) if (part === 'quotation') announce(lines, parts, at)
  const has = (wanted: Part) => lines.some((line, at) => parts[at] === wanted && hasWords(line))
  return has('quotation') && has('own') ? parts : undefined
}

const hasWords = ({ firstWord, endWord }: TextLine) => endWord > firstWord

/** Returns the headers that Outlook and others write above the mail that they quote. */
function restOf(lines: readonly TextLine[]): { from: number; to: number } | undefined {
  for (const [at, { shown }] of lines.entries()) {
    let end = at + (ruler.test(shown) ? 1 : 0)
    while (end > at && lines[end]?.shown.trim() === '') end += 1
    const first = end
    while (header.test(lines[end]?.shown ?? '')) end += 1
    if (end - first >= 3) return { from: at, to: end }
  }
  return undefined
}

/** Marks the lines above the first line of a quotation that announce it. */
function announce(lines: readonly TextLine[], parts: Part[], first: number): void {
  if (parts[first - 1] === 'quotation') return
  let end = first
  while (end > 0 && !hasWords(lines[end - 1] as TextLine)) end -= 1
  if (parts[end - 1] !== 'own' || !/[:：]\s*$/.test(lines[end - 1]?.shown ?? '')) return
  for (let count = 1; count <= announcementLines && end - count >= 0; count++) {
    const above = lines.slice(end - count, end)
    if (above.some((line) => !hasWords(line))) return
    if (!/\d{1,2}[:.]\d\d|(?:19|20)\d\d/.test(above.map(({ shown }) => shown).join(' '))) continue
    parts.fill('announcement', end - count, end)
    return
  }
}

/** Returns a conversation that holds the quoted mail, and knows who stands in its announcement. */
function threadOf(lines: readonly TextLine[], parts: readonly Part[]): QuotedThread {
  const of = (wanted: Part) => lines.filter((_, at) => parts[at] === wanted).map(({ shown }) => shown)
  const content = of('quotation')
    .map((line) => line.replace(/^\s{0,3}>\s?/, ''))
    .join('\n')
  const announcement = of('announcement').join(' ')
  const addresses = announcement.toLowerCase().match(/[\w.+-]{1,64}@[\w.-]{1,255}/g) ?? []
  const names = announcement.match(/\p{Lu}[\p{L}'-]{1,30}(?: \p{Lu}[\p{L}'.-]{0,30}){1,3}/gu) ?? []
  return { texts: [{ messageId: 'quoted', parts: [{ content, contentType: 'text' }] }], addresses, names }
}

/** Returns the reply in a file: a mail, the HTML of one, or a text that is the body of one. */
async function replyIn(file: string): Promise<Reply | undefined> {
  const raw = readFileSync(file)
  if (/\.txt$/i.test(file))
    return { content: raw.toString('utf8').replace(/\r\n?/g, '\n'), contentType: 'text' }
  if (/\.html?$/i.test(file))
    return contentOf(Buffer.concat([Buffer.from('Content-Type: text/html; charset=utf-8\n\n'), raw]))
  return /\.eml$/i.test(file) ? contentOf(raw) : undefined
}

async function contentOf(raw: Buffer): Promise<Reply | undefined> {
  try {
    const { facts } = await readMail(raw)
    return facts.bounce === null ? facts : undefined
  } catch {
    return undefined
  }
}

interface Measured {
  isAnnounced: boolean
  /** Lines of the quotation and its announcement that are shown. */
  shown: TextLine[]
  /** Lines of the reply itself that are folded. */
  hidden: TextLine[]
}

/** Returns what is folded of a reply when the quoted mail is known; undefined where it quotes nothing that has words. */
function measure({ content, contentType }: Reply): Measured | undefined {
  const { lines } = readLines(content, contentType)
  const parts = partsOf(lines, contentType)
  if (parts === undefined) return undefined
  const thread = threadOf(lines, parts)
  const quoted = wordsOf(thread.texts[0]?.parts[0]?.content ?? '')
  if (quoted.length < quotedWordsMin) return undefined
  const slices = findQuotations(content, contentType, thread)
  const isFolded = ({ from, to }: TextLine) => slices.some((slice) => slice.from <= from && to <= slice.to)
  const text = ` ${quoted.join(' ')} `
  // The footer of a mailing list stands in the reply and in the quoted mail.
  const isRepeated = (line: TextLine) => text.includes(` ${wordsOf(line.shown).join(' ')} `)
  return {
    isAnnounced: parts.includes('announcement'),
    shown: lines.filter((line, at) => hasWords(line) && parts[at] !== 'own' && !isFolded(line)),
    hidden: lines.filter(
      (line, at) => hasWords(line) && parts[at] === 'own' && isFolded(line) && !isRepeated(line),
    ),
  }
}

const quotedWordsMin = 4

/** Prints how many quotations of the replies of a folder are folded whole, and how many own words are hidden. */
export async function measureReplies(folder: string, isShown: boolean): Promise<void> {
  const counts = { replies: 0, whole: 0, announced: 0, hidden: 0 }
  const report = (file: string, what: string, found: readonly TextLine[]) => {
    const words = isShown ? `: ${JSON.stringify(found.map((line) => line.shown).slice(0, 5))}` : ''
    if (found.length > 0) process.stdout.write(`${path.relative(folder, file)}: ${what}${words}\n`)
  }
  for await (const [file, reply] of repliesIn(folder)) {
    const measured = measure(reply)
    if (measured === undefined) continue
    const { isAnnounced, shown, hidden } = measured
    counts.replies += 1
    counts.whole += shown.length === 0 ? 1 : 0
    counts.announced += isAnnounced ? 1 : 0
    counts.hidden += hidden.flatMap((line) => wordsOf(line.shown)).length
    report(file, 'shown of the quotation', shown)
    report(file, 'hidden of the reply', hidden)
  }
  const { replies, whole, announced, hidden } = counts
  const share = replies === 0 ? 0 : Math.round((whole / replies) * 1_000) / 10
  process.stdout.write(`${replies}\treplies, ${announced} with an announcement\n`)
  process.stdout.write(`${whole}\tfolded whole (${share} %)\n${hidden}\twords of replies hidden\n`)
}

/** Yields the mails and texts of a folder, each once: collections hold copies of each other's mails. */
async function* repliesIn(folder: string): AsyncGenerator<[file: string, reply: Reply]> {
  const seen = new Set<string>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    const reply = entry.isFile() ? await replyIn(file) : undefined
    if (reply === undefined || seen.has(reply.content)) continue
    seen.add(reply.content)
    yield [file, reply]
  }
}
