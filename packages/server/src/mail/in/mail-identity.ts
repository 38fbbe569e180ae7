import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { readAddresses } from '../parse/mail-addresses.ts'

/** The most bytes of the headers that are read before a mail is stored; the rest is read in the parser's process. */
export const headBytesMax = 64 * 1024
const idLengthMax = 900
/** Bytes of a From header. */
const fromLengthMax = 4096
/** Hashed without a break: some 30 MB in one piece would stop every request for 50 ms. */
const stepBytes = 256 * 1024

export interface MailIdentity {
  /** The first address of the From header, in its normal form; null: none that can be read. */
  from: string | null
  /** The same for the same mail of the same inbox, and for a mail that claims to be it. */
  dedupKey: string
  /** The same for the same body under one `dedupKey`. */
  copyKey: string
  /** Null for a text that names no mail, such as an empty one. */
  rfcMessageId: string | null
  /** SHA-256 of all bytes, in hex. */
  hash: string
  /** SHA-256 of the body, in hex: ends of lines as LF, without newlines at its end, because doors differ in them. */
  bodyHash: string
}

/**
 * Returns by what a repeated mail is known: Message-ID, From and Date, because shops and scanners reuse one Message-ID
 * for different mails. Where one of the two says nothing, a mail is known by its From, Subject and body.
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
  const from = addressOf(fieldOf(headers, 'from'))
  const date = fieldOf(headers, 'date')
  const hash = await hashFrom(pieces, 0)
  const bodyHash = await hashOfBody(pieces, length)
  const parts =
    rfcMessageId === null || !isDate(date)
      ? [from, fieldOf(headers, 'subject'), bodyHash]
      : [from, addressOf(date), rfcMessageId]
  const dedupKey = digestOf([inboxId, ...parts])
  const copyKey = digestOf([dedupKey, bodyHash])
  return { from: senderOf(headers), dedupKey, copyKey, rfcMessageId, hash, bodyHash }
}

/** Returns the first address of the From header of a mail that is not parsed, in its normal form. */
export function senderOfPieces(pieces: readonly Uint8Array[]): string | null {
  return senderOf(headerBlock(headOf(pieces)).headers)
}

/** A mail that is never parsed is found by its sender too. */
function senderOf(headers: string): string | null {
  const text = Buffer.from(fieldOf(headers, 'from').slice(0, fromLengthMax), 'latin1').toString('utf8')
  return readAddresses([text])[0]?.address ?? null
}

function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

function isDate(text: string): boolean {
  // bounded: 200 characters.
  return !Number.isNaN(Date.parse(text.slice(0, 200).replace(/\([^)]*\)/g, '')))
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
  const bracketed = text.lastIndexOf('<')
  const id = (bracketed === -1 ? text : (text.slice(bracketed + 1).split('>', 1)[0] ?? '')).trim()
  return id.length <= idLengthMax && /^[^\s<>@]+@[^\s<>@]+$/.test(id) ? id : null
}

/** A provider may write a name beside the address in another form when it repeats a mail. */
function addressOf(text: string): string {
  return (/<([^<>]*)>[^<>]*$/.exec(text)?.[1] ?? text).trim().toLowerCase()
}

/** Returns the SHA-256 of all bytes from a position on, in hex. */
async function hashFrom(pieces: readonly Uint8Array[], start: number): Promise<string> {
  const hash = createHash('sha256')
  await readFrom(pieces, start, (step) => hash.update(step))
  return hash.digest('hex')
}

async function hashOfBody(pieces: readonly Uint8Array[], start: number): Promise<string> {
  const hash = createHash('sha256')
  let held = ''
  let newlines = 0
  await readFrom(pieces, start, (step) => {
    const text = held + Buffer.from(step.buffer, step.byteOffset, step.length).toString('latin1')
    // The step may end between the two characters of an end of a line.
    held = text.endsWith('\r') ? '\r' : ''
    const lines = text.slice(0, text.length - held.length).replaceAll('\r\n', '\n')
    let end = lines.length
    while (end > 0 && lines.charAt(end - 1) === '\n') end -= 1
    if (end > 0) {
      hash.update('\n'.repeat(newlines) + lines.slice(0, end), 'latin1')
      newlines = 0
    }
    newlines += lines.length - end
  })
  return hash.digest('hex')
}

async function readFrom(
  pieces: readonly Uint8Array[],
  start: number,
  read: (step: Uint8Array) => void,
): Promise<void> {
  let skipped = 0
  let inTurn = 0
  for (const piece of pieces) {
    const from = Math.min(start - skipped, piece.length)
    skipped += from
    for (let at = from; at < piece.length; at += stepBytes) {
      const step = piece.subarray(at, at + stepBytes)
      read(step)
      inTurn += step.length
      if (inTurn < stepBytes) continue
      inTurn = 0
      await nextTurn()
    }
  }
}
