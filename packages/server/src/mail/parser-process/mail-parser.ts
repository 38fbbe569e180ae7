import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { FairQueue } from '../../fairness/fair-queue.ts'
import type { AttachmentSpool } from '../../ports/attachment-store.ts'
import type { MailFacts } from '../parse/mail-facts.ts'
import { MailRefused } from '../parse/mail-refused.ts'
import type { Quotation, QuotedThread } from '../parse/quotations.ts'
import {
  type FileRequest,
  type Frame,
  frameHead,
  jsonFrame,
  pieces,
  type Refusal,
  readFrames,
} from './frames.ts'
import { MailBytes } from './mail-bytes.ts'
import { type Watched, WorkLimit, watchUse } from './process-limits.ts'
import type { UnwrappedMail } from './unwrap-mail.ts'

const jobMsDefault = 30_000
/** Two, so that a mail that takes long holds up one of them alone. */
export const processesDefault = 2

/** A mail that was read. Its files can be read until the function that uses it has ended. */
export interface ParsedMail {
  facts: MailFacts
  file(index: number): AsyncIterable<Uint8Array>
  /** Absent where its process may write no files. */
  spooled?: SpooledFiles
  /** Returns what the mail quotes of the conversation that it belongs to. */
  quotations(thread: QuotedThread): Promise<Quotation[]>
}

/** Files of a mail that its own process writes, so that their bytes pass through no memory of this one. */
export interface SpooledFiles {
  /** The folder of the spool that the process may write. */
  place: number
  /** Writes a new file of that folder. Rejects with the code of the system where that is refused. */
  write(index: number, to: string): Promise<void>
}

/** The bytes of a mail, or the file that holds them: a mail of 25 MB then passes through no memory of this process. */
export type RawMail = AsyncIterable<Uint8Array> | { file: string }

/** A mail out of the body of a provider, in pieces. */
export interface TakenMail extends Omit<UnwrappedMail, 'mail'> {
  mail: Uint8Array[]
}

export interface ParseOptions {
  /** The tenant of the mail. */
  owner?: string
  /** The longest time that the process may work on the mail. The time of its user, such as of a database, does not count. */
  jobMs?: number
}

/**
 * Reads mails in a few processes of its own, each one mail at a time. Throws `MailRefused` for a mail beyond the limits of time,
 * memory and structure; its process is then replaced. Throws `ParserKilled` when the mail has to be read again.
 */
export interface MailParser {
  parse<T>(raw: RawMail, use: (mail: ParsedMail) => Promise<T>, options?: ParseOptions): Promise<T>
  unwrap(body: Iterable<Uint8Array>, contentType: string, options?: ParseOptions): Promise<TakenMail>
  close(): Promise<void>
}

/** The process ended by itself, such as by a mail that needs more memory than it may have. */
class ParserEnded extends Error {}

/** Somebody else has killed the process, such as the system for want of memory: that is no fault of the mail. */
export class ParserKilled extends Error {
  constructor() {
    super('The process that reads mails was killed')
  }
}

/** Signals by which a process ends for what it does itself. */
const ownFaults: readonly string[] = ['SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGTRAP', 'SIGFPE']

interface Child {
  place: number
  process: ChildProcessByStdio<Writable, Readable, null>
  frames: AsyncGenerator<Frame>
  /** Frames of the present mail are on their way: the next mail would get them as its own. */
  owesFrames: boolean
  /** Counts the time for which it is waited for. */
  limit: WorkLimit
  writing?: Watched['writing']
  /** The reason for which it was killed. */
  refusal?: MailRefused['reason']
}

type Job<T> = (active: Child) => Promise<T>

/** A place for one process. It is started for its first mail. */
interface Place {
  number: number
  /** The one folder that its process may write. */
  folder: string | undefined
  child: Child | undefined
}

interface ParserSettings {
  jobMs?: number
  /** How many mails are read at the same time. Owners whose mails wait for one alternate. */
  processes?: number
  /** Where each process may leave the files of a mail. */
  spool?: Pick<AttachmentSpool, 'folderOf'> | undefined
}

export function createMailParser({
  jobMs = jobMsDefault,
  processes = processesDefault,
  spool,
}: ParserSettings = {}): MailParser {
  const places = Array.from({ length: processes }, (_, number): Place => {
    return { number, folder: spool?.folderOf(number), child: undefined }
  })
  /** The last one is used next, so that one process serves a few mails. */
  const free = [...places]
  const waiting = new FairQueue<(place: Place) => void>()
  const running = new Set<Promise<unknown>>()

  async function runIn<T>(place: Place, job: Job<T>, ms: number): Promise<T> {
    const active = childOf(place)
    const stopped = Promise.withResolvers<never>()
    const stop = (reason: MailRefused['reason']) => {
      active.refusal = reason
      active.process.kill('SIGKILL')
      stopped.reject(new MailRefused(reason))
    }
    active.limit = new WorkLimit(ms, () => stop('parse_timeout'))
    const unwatch = watchUse(active, () => stop('too_complex'))
    try {
      return await Promise.race([job(active), stopped.promise])
    } catch (error) {
      throw await failureOf(active, error)
    } finally {
      unwatch()
      active.limit.end()
      // A use that fails, such as by a conflict of commits, is no reason to start another process.
      if (active.owesFrames || active.refusal !== undefined) await endChild(active)
    }
  }

  async function inTurn<T>({ owner = '', jobMs: ms = jobMs }: ParseOptions, job: Job<T>): Promise<T> {
    const place = free.pop() ?? (await new Promise<Place>((resolve) => waiting.push(owner, resolve)))
    try {
      return await runIn(place, job, ms)
    } finally {
      const next = waiting.shift()
      if (next === undefined) free.push(place)
      else next(place)
    }
  }

  function run<T>(options: ParseOptions, job: Job<T>): Promise<T> {
    const result = inTurn(options, job)
    const ended = result.then(
      () => {},
      () => {},
    )
    running.add(ended)
    void ended.then(() => running.delete(ended))
    return result
  }

  return {
    parse: (raw, use, options = {}) =>
      run(options, async (active) => {
        active.owesFrames = true
        const file = 'file' in raw ? raw.file : null
        if (!('file' in raw)) for await (const chunk of raw) await sendBytes(active, chunk)
        await send(active, jsonFrame('parse', { file }))
        const { bytes } = await expect(active, 'result')
        active.owesFrames = false
        const facts = JSON.parse(bytes.toString()) as MailFacts
        return use({
          facts,
          file: (index) => readFileOf(active, index),
          ...(spool !== undefined && {
            spooled: {
              place: active.place,
              write: (index: number, to: string) =>
                writeFileOf(active, { index, to, size: facts.files[index]?.size ?? 0 }),
            },
          }),
          quotations: (thread) => quotationsIn(active, thread),
        })
      }),
    unwrap: (body, contentType, options = {}) =>
      run(options, async (active) => {
        active.owesFrames = true
        for (const chunk of body) await sendBytes(active, chunk)
        await send(active, jsonFrame('unwrap', { contentType }))
        const { bytes } = await expect(active, 'result')
        const about = JSON.parse(bytes.toString()) as Omit<UnwrappedMail, 'mail'>
        const mail = new MailBytes()
        for await (const piece of readBytes(active)) await mail.add(piece)
        return { ...about, mail: mail.take() }
      }),
    async close() {
      while (running.size > 0) await Promise.all(running)
      for (const { child } of places) if (child !== undefined) await endChild(child)
    },
  }
}

function childOf(place: Place): Child {
  const { child } = place
  if (child !== undefined && child.process.exitCode === null && child.process.signalCode === null)
    return child
  place.child = startChild(place)
  return place.child
}

/** The file is next to this one, as source or compiled. It gets no environment, because that may hold secrets. */
function startChild({ number, folder }: Place): Child {
  const isSource = import.meta.url.endsWith('.ts')
  const program = fileURLToPath(new URL(`./parser-program.${isSource ? 'ts' : 'js'}`, import.meta.url))
  const flags = [
    '--max-old-space-size=400',
    '--permission',
    '--allow-fs-read=*',
    '--disable-warning=ExperimentalWarning',
  ]
  if (folder !== undefined) flags.push(`--allow-fs-write=${path.join(folder, '*')}`)
  if (isSource) flags.push('--conditions=@crmkit/source')
  const started = spawn(process.execPath, [...flags, program], { stdio: ['pipe', 'pipe', 'ignore'], env: {} })
  // Its end is noticed by the frames that are missing.
  started.on('error', () => {})
  started.stdin.on('error', () => {})
  started.unref()
  for (const stream of [started.stdin, started.stdout])
    if ('unref' in stream) (stream as { unref(): void }).unref()
  return {
    place: number,
    process: started,
    frames: readFrames(started.stdout),
    owesFrames: false,
    limit: new WorkLimit(jobMsDefault, () => {}),
  }
}

async function endChild({ process: running }: Child): Promise<void> {
  if (running.exitCode !== null || running.signalCode !== null) return
  const ended = once(running, 'exit')
  running.ref()
  running.kill('SIGKILL')
  await ended
}

/** Returns why a job has failed: by a limit, by the mail, by somebody who has killed the process, or by its user. */
async function failureOf(active: Child, error: unknown): Promise<unknown> {
  if (active.refusal !== undefined) return new MailRefused(active.refusal)
  if (!(error instanceof ParserEnded)) return error
  return (await isKilled(active)) ? new ParserKilled() : new MailRefused('parse_failed')
}

/** Its frames have ended, so its end is near. */
async function isKilled({ process: ended }: Child): Promise<boolean> {
  if (ended.exitCode === null && ended.signalCode === null) await once(ended, 'exit')
  const { exitCode, signalCode } = ended
  // A process that could not even start has a negative code.
  return signalCode === null ? exitCode !== null && exitCode < 0 : !ownFaults.includes(signalCode)
}

async function send(active: Child, bytes: Uint8Array): Promise<void> {
  const { stdin } = active.process
  if (stdin.destroyed) throw new ParserEnded()
  if (stdin.write(bytes)) return
  const waiting = new AbortController()
  const { signal } = waiting
  try {
    const drained = Promise.race([once(stdin, 'drain', { signal }), once(stdin, 'close', { signal })])
    await active.limit.during(drained)
  } catch {
    // The pipe is broken: whoever waits for the next frame sees why the process has ended.
    throw new ParserEnded()
  } finally {
    waiting.abort()
  }
}

async function sendBytes(active: Child, bytes: Uint8Array): Promise<void> {
  for (const piece of pieces(bytes)) {
    await send(active, frameHead('bytes', piece.length))
    await send(active, piece)
  }
}

async function nextFrame(active: Child): Promise<Frame> {
  const { value, done } = await active.limit.during(active.frames.next())
  if (done) throw new ParserEnded()
  if (value.type !== 'refused') return value
  active.owesFrames = false
  const { reason, name } = JSON.parse(value.bytes.toString()) as Refusal
  if (reason === 'unreadable') throw new Error(`The bytes of a mail cannot be read: ${name}`)
  if (reason === 'unwritable')
    throw Object.assign(new Error(`A file of a mail cannot be written: ${name}`), { code: name })
  throw new MailRefused(reason)
}

async function expect(active: Child, type: Frame['type']): Promise<Frame> {
  const frame = await nextFrame(active)
  if (frame.type !== type) throw new Error(`The parser of mails sent ${frame.type} instead of ${type}`)
  return frame
}

async function* readBytes(active: Child): AsyncGenerator<Uint8Array> {
  for (;;) {
    const frame = await nextFrame(active)
    if (frame.type === 'end') {
      active.owesFrames = false
      return
    }
    yield frame.bytes
  }
}

async function quotationsIn(active: Child, thread: QuotedThread): Promise<Quotation[]> {
  active.owesFrames = true
  await send(active, jsonFrame('quotations', thread))
  const { bytes } = await expect(active, 'result')
  active.owesFrames = false
  return JSON.parse(bytes.toString()) as Quotation[]
}

async function* readFileOf(active: Child, index: number): AsyncGenerator<Uint8Array> {
  active.owesFrames = true
  await send(active, jsonFrame('file', { index, to: null } satisfies FileRequest))
  yield* readBytes(active)
}

async function writeFileOf(
  active: Child,
  { index, to, size }: { index: number; to: string; size: number },
): Promise<void> {
  active.owesFrames = true
  active.writing = { file: to, size }
  try {
    await send(active, jsonFrame('file', { index, to } satisfies FileRequest))
    await expect(active, 'result')
    active.owesFrames = false
  } finally {
    active.writing = undefined
  }
}
