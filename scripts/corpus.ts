// npm run corpus -- FOLDER [--show]: reads every mail of a folder (`.eml`, and `.mbox` mail by mail) as the service does, and
// prints in what it differs from a second reader, the parser of Python; with `--replies` it measures what is folded. It changes nothing, and uses no network. Without
// `--show` it prints counts and the names of files alone: a mailbox is private.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { domainToASCII } from 'node:url'
import { MailRefused } from '../packages/server/src/mail/parse/mail-refused.ts'
import { type ReadMail, readMail } from '../packages/server/src/mail/parse/read-mail.ts'
import { wordsOf } from '../packages/server/src/mail/parse/text-lines.ts'
import { plainTextOf } from '../packages/server/src/shared/plain-text.ts'
import { measureReplies } from './corpus-replies.ts'

interface SecondRead {
  from: string[]
  to: string[]
  cc: string[]
  subject: string
  /** In seconds; null: none that it can read. */
  date: number | null
  /** SHA-256 of each file. */
  files: string[]
  /** Plain texts; null: in a charset that it does not know. */
  texts: (string | null)[]
  error?: string
}

const [folder, ...flags] = process.argv.slice(2)
if (folder === undefined || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
  process.stderr.write('npm run corpus -- FOLDER [--replies] [--show]: a folder with .eml or .mbox files\n')
  process.exit(2)
}
const isShown = flags.includes('--show')
if (flags.includes('--replies')) {
  await measureReplies(folder, isShown)
  process.exit(0)
}
const temporary = mkdtempSync(path.join(tmpdir(), 'corpus-'))
const counts = new Map<string, number>()
const count = (what: string, by = 1) => counts.set(what, (counts.get(what) ?? 0) + by)

/** Returns the files of a folder, and of a mailbox each mail as a file of its own. */
function* mailsIn(directory: string): Generator<{ name: string; file: string }> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = path.join(entry.parentPath, entry.name)
    const name = path.relative(directory, file)
    const isMailbox = /\.mbox(?:\.txt)?$/i.test(name)
    if (!isMailbox && /\.(?:eml|msg|txt)$/i.test(name)) yield { name, file }
    if (!isMailbox) continue
    const mails = readFileSync(file, 'latin1').split(/^From .*\r?\n/m)
    for (const [at, mail] of mails.entries()) {
      if (mail.trim() === '') continue
      const own = path.join(temporary, `${counts.size}-${at}.eml`)
      writeFileSync(own, mail.replace(/^>(>*From )/gm, '$1'), 'latin1')
      yield { name: `${name} ${at}`, file: own }
    }
  }
}

/** Returns a function that asks the second reader; undefined without Python. */
async function secondReader(): Promise<((file: string) => Promise<SecondRead>) | undefined> {
  const program = new URL('./read-mails.py', import.meta.url).pathname
  const child = spawn('python3', [program], { stdio: ['pipe', 'pipe', 'ignore'] })
  const started = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true))
    child.once('error', () => resolve(false))
  })
  if (!started) return undefined
  child.unref()
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return async (file) => {
    child.stdin.write(`${JSON.stringify(file)}\n`)
    return JSON.parse((await lines.next()).value ?? '{"error":"ended"}') as SecondRead
  }
}

const addressesOf = (list: readonly { address: string }[]) => list.map(({ address }) => address).toSorted()
/** A domain has a form of its own for programs. */
const inAscii = (addresses: readonly string[]) =>
  addresses
    .map((address) => address.replace(/[^@]+$/, (domain) => domainToASCII(domain) || domain))
    .toSorted()
/** Python loses some blanks beside encoded words, and keeps characters that nobody sees. */
const visible = (text: string) => text.replace(/[\s\u0000-\u001f]+/g, '')

/** Returns in what two readers differ, each with both values. */
function differences(
  { facts, files }: ReadMail,
  second: SecondRead,
): [what: string, ours: unknown, theirs: unknown][] {
  const hashes = new Set(files.map(({ bytes }) => createHash('sha256').update(bytes).digest('hex')))
  const content = facts.contentType === 'html' ? plainTextOf(facts.content) : facts.content
  const shown = new Set(wordsOf(content))
  const hidden = second.texts
    .flatMap((text) => wordsOf((text ?? '').slice(0, 65_536)))
    .filter((word) => !shown.has(word))
  const compared: [string, unknown, unknown][] = [
    ['sender', addressesOf(facts.from), inAscii(second.from)],
    ['to', addressesOf(facts.to), inAscii(second.to)],
    ['cc', addressesOf(facts.cc), inAscii(second.cc)],
    ['subject', visible(facts.subject), visible(second.subject)],
    ['date', facts.date === null ? null : Date.parse(facts.date) / 1_000, second.date],
    ['files', second.files.filter((hash) => !hashes.has(hash)), []],
    ['words shown nowhere', facts.truncated || second.texts.includes(null) ? [] : hidden.slice(0, 20), []],
  ]
  return compared.filter(([, ours, theirs]) => JSON.stringify(ours) !== JSON.stringify(theirs))
}

const ask = await secondReader()
if (ask === undefined) process.stderr.write('no second reader: python3 is missing\n')
for (const { name, file } of mailsIn(folder)) {
  count('mails')
  try {
    const read = await readMail(readFileSync(file))
    count('files', read.files.length)
    if (read.facts.content === '' && read.files.length === 0) count('mails without any content')
    const second = await ask?.(file)
    if (second?.error !== undefined) count('mails that the second reader cannot read')
    if (second === undefined || second.error !== undefined) continue
    for (const [what, ours, theirs] of differences(read, second)) {
      count(`other ${what}`)
      const values = isShown ? `: ${JSON.stringify(ours)} beside ${JSON.stringify(theirs)}` : ''
      process.stdout.write(`${name}: ${what}${values}\n`)
    }
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error
    count(`refused as ${error.reason}`)
    process.stdout.write(`${name}: refused as ${error.reason}\n`)
  }
}
for (const [what, number] of counts) process.stdout.write(`${number}\t${what}\n`)
rmSync(temporary, { recursive: true })
process.exit(0)
