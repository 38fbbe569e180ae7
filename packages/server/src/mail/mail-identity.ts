import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** The most bytes of the headers that are read before a mail is stored; the rest is read in the parser's process. */
const headBytesMax = 64 * 1024
/** Hashed without a break: some 30 MB in one piece would stop every request for 50 ms. */
const stepBytes = 256 * 1024

interface MailIdentity {
  /** The same for the same mail of the same inbox. */
  dedupKey: string
  rfcMessageId: string | null
  /** SHA-256 of all bytes, in hex. */
  hash: string
}

/**
 * Returns by what a repeated mail is known: Message-ID, From and Date, because shops and scanners reuse one Message-ID
 * for different mails. A mail without a Message-ID is known by its From, Date, Subject and body.
 */
export async function mailIdentity({
  inboxId,
  pieces,
}: {
  inboxId: string
  pieces: readonly Uint8Array[]
}): Promise<MailIdentity> {
  const head = headOf(pieces)
  const { headers, length } = headerBlock(head)
  const rfcMessageId = messageIdOf(headers)
  const known = ['from', 'date'].map((name) => addressOf(fieldOf(headers, name)))
  const whole = await hashFrom(pieces, 0)
  const parts =
    rfcMessageId === null
      ? [...known, fieldOf(headers, 'subject'), await hashFrom(pieces, length)]
      : [...known, rfcMessageId]
  const dedupKey = createHash('sha256')
    .update(JSON.stringify([inboxId, ...parts]))
    .digest('hex')
  return { dedupKey, rfcMessageId, hash: whole }
}

function headOf(pieces: readonly Uint8Array[]): string {
  const head: Uint8Array[] = []
  let length = 0
  for (const piece of pieces) {
    if (length >= headBytesMax) break
    head.push(piece.subarray(0, headBytesMax - length))
    length += piece.length
  }
  return Buffer.concat(head).toString('latin1')
}

function headerBlock(head: string): { headers: string; length: number } {
  const end = /\r?\n\r?\n/.exec(head)
  const length = end === null ? head.length : end.index + end[0].length
  return { headers: head.slice(0, length).replace(/\r?\n[ \t]+/g, ' '), length }
}

function fieldOf(headers: string, name: string): string {
  // bounded: built of fixed names; the repetitions share no character.
  return new RegExp(`^${name}[ \\t]*:(.*)$`, 'im').exec(headers)?.[1]?.trim() ?? ''
}

function messageIdOf(headers: string): string | null {
  const text = fieldOf(headers, 'message-id')
  const id = /<\s*([^<>\s]{1,900})\s*>/.exec(text)?.[1] ?? text
  return id === '' ? null : id.slice(0, 900)
}

/** A provider may write a name beside the address in another form when it repeats a mail. */
function addressOf(text: string): string {
  return (/<([^<>]*)>[^<>]*$/.exec(text)?.[1] ?? text).trim().toLowerCase()
}

/** Returns the SHA-256 of all bytes from a position on, in hex. */
async function hashFrom(pieces: readonly Uint8Array[], start: number): Promise<string> {
  const hash = createHash('sha256')
  let skipped = 0
  let inTurn = 0
  for (const piece of pieces) {
    const from = Math.min(start - skipped, piece.length)
    skipped += from
    for (let at = from; at < piece.length; at += stepBytes) {
      const step = piece.subarray(at, at + stepBytes)
      hash.update(step)
      inTurn += step.length
      if (inTurn < stepBytes) continue
      inTurn = 0
      await nextTurn()
    }
  }
  return hash.digest('hex')
}
