import { hash as hashOf } from 'node:crypto'
import { readAddresses } from '../parse/mail-addresses.ts'
import type { MailHashes } from './hash/mail-hash.ts'

/** The most bytes of the headers that are read before a mail is stored; the rest is read in the parser's process. */
export const headBytesMax = 64 * 1024
const idLengthMax = 900
/** Bytes of a From header. */
const fromLengthMax = 4096

export interface MailIdentity extends MailHashes {
  /** The first address of the From header, in its normal form; null: none that can be read. */
  from: string | null
  /** The same for the same mail of the same inbox, and for a mail that claims to be it. */
  dedupKey: string
  /** The same for the same body under one `dedupKey`. */
  copyKey: string
  /** Null for a text that names no mail, such as an empty one. */
  rfcMessageId: string | null
}

interface HashedMail extends MailHashes {
  inboxId: string
}

/**
 * Returns by what a repeated mail is known: Message-ID, From and Date, because shops and scanners reuse one Message-ID
 * for different mails. Where one of the two says nothing, a mail is known by its From, Subject and body. `head`: its first bytes,
 * `headBytesMax` of them at least where it has as many.
 */
export function mailIdentity(
  head: readonly Uint8Array[],
  { inboxId, hash, bodyHash }: HashedMail,
): MailIdentity {
  const { headers } = headerBlock(headOf(head))
  const rfcMessageId = messageIdOf(headers)
  const from = addressOf(fieldOf(headers, 'from'))
  const date = fieldOf(headers, 'date')
  const parts =
    rfcMessageId === null || !isDate(date)
      ? [from, fieldOf(headers, 'subject'), bodyHash]
      : [from, addressOf(date), rfcMessageId]
  const dedupKey = digestOf([inboxId, ...parts])
  const copyKey = digestOf([dedupKey, bodyHash])
  return { from: senderOf(headers), dedupKey, copyKey, rfcMessageId, hash, bodyHash }
}

/** Returns where the body of a mail begins, in bytes. `head`: as of `mailIdentity`. */
export function bodyStartOf(head: readonly Uint8Array[]): number {
  return headerBlock(headOf(head)).length
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
  return hashOf('sha256', JSON.stringify(parts), 'hex')
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
