import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { MailRefused } from '../parse/mail-refused.ts'
import type { QuotedThread } from '../parse/quotations.ts'
import { quotationsOf, type ReadMail, readMail } from '../parse/read-mail.ts'
import {
  type FileRequest,
  type Frame,
  type FrameType,
  frameHead,
  jsonFrame,
  pieces,
  type Refusal,
  readFrames,
} from './frames.ts'
import { unwrapMail } from './unwrap-mail.ts'

/*
 * The program that reads mails. It runs in a process of its own, because a hostile mail may use up time and memory, and
 * because a large one would stop every request while it is read. It may read files, write those of one folder, and nothing
 * else: no network, no further process. It ends with the process that started it.
 */

const { stdin, stdout } = process
let received: Buffer[] = []
let current: ReadMail | undefined

async function write(bytes: Uint8Array): Promise<void> {
  if (!stdout.write(bytes)) await once(stdout, 'drain')
}

async function writeBytes(bytes: Uint8Array): Promise<void> {
  for (const piece of pieces(bytes)) {
    await write(frameHead('bytes', piece.length))
    await write(piece)
  }
  await write(jsonFrame('end', {}))
}

function takeReceived(): Buffer {
  const whole = Buffer.concat(received)
  received = []
  return whole
}

/** The file is away or damaged. */
class Unreadable extends Error {}

async function readWhole(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    throw new Unreadable((error as NodeJS.ErrnoException).code)
  }
}

class Unwritable extends Error {}

async function writeNew(file: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(file, bytes, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    throw new Unwritable((error as NodeJS.ErrnoException).code)
  }
}

const answers: Partial<Record<FrameType, (bytes: Buffer) => Promise<void>>> = {
  async parse(bytes) {
    current = undefined
    const { file } = JSON.parse(bytes.toString()) as { file: string | null }
    current = await readMail(file === null ? takeReceived() : await readWhole(file))
    await write(jsonFrame('result', current.facts))
  },
  async unwrap(bytes) {
    const { contentType } = JSON.parse(bytes.toString()) as { contentType: string }
    const { mail, ...about } = await unwrapMail(takeReceived(), contentType)
    await write(jsonFrame('result', about))
    await writeBytes(mail)
  },
  async quotations(bytes) {
    const thread = JSON.parse(bytes.toString()) as QuotedThread
    await write(jsonFrame('result', current === undefined ? [] : quotationsOf(current, thread)))
  },
  async file(bytes) {
    const { index, to } = JSON.parse(bytes.toString()) as FileRequest
    const content = current?.files[index]?.bytes ?? new Uint8Array()
    if (to === null) return writeBytes(content)
    await writeNew(to, content)
    await write(jsonFrame('result', {}))
  },
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Unreadable) return { reason: 'unreadable', name: error.message }
  if (error instanceof Unwritable) return { reason: 'unwritable', name: error.message }
  const name = error instanceof Error ? error.name : 'Error'
  return { reason: error instanceof MailRefused ? error.reason : 'parse_failed', name }
}

async function answer({ type, bytes }: Frame): Promise<void> {
  if (type === 'bytes') {
    received.push(bytes)
    return
  }
  try {
    await answers[type]?.(bytes)
  } catch (error) {
    received = []
    await write(jsonFrame('refused', refusalOf(error)))
  }
}

for await (const frame of readFrames(stdin)) await answer(frame)
process.exit(0)
