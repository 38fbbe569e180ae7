import {
  type DomainEvent,
  type IdFactory,
  type InboundMail,
  type InboundMailReason,
  mailBytesMax,
  mailParkedEvent,
} from '@crmkit/core'
import type { MailBudgets } from '../../fairness/mail-budgets.ts'
import type { AttachmentStore } from '../../ports/attachment-store.ts'
import type { Write } from '../../ports/change.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Storage, TenantStore } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import { unlessOfDisk } from '../../shared/passing-error.ts'
import { removeAttachment } from '../../shared/remove-attachment.ts'
import { StorageUnavailable, UniqueConflict, VersionConflict } from '../../storage/errors.ts'
import type { AttachmentRecord } from '../../storage/kinds/attachments.ts'
import type { InboundMailRecord } from '../../storage/kinds/inbound-mails.ts'
import type { TenantId } from '../../storage/records.ts'
import { inShares } from '../parser-process/mail-bytes.ts'
import { hashFile, hashMail, PassingHash } from './hash/hash-mail.ts'
import type { MailHashes } from './hash/mail-hash.ts'
import { bodyStartOf, type MailIdentity, mailIdentity } from './mail-identity.ts'

export interface StoreMailParts {
  storage: Pick<Storage, 'forTenant'>
  attachments: Pick<AttachmentStore, 'write' | 'remove' | 'fileOf'>
  budgets: Pick<MailBudgets, 'admit' | 'readAtMs'>
  clock: Clock
  ids: IdFactory
  log: Log
}

/** A mail as a door receives it. */
export interface ReceivedMail {
  tenantId: TenantId
  inboxId: string
  door: InboundMail['door']
  envelope: InboundMail['envelope']
  /** At most `bytesMax` of them. An error of them is the error of the mail, which then leaves nothing behind. */
  bytes: AsyncIterable<Uint8Array>
  /** How many bytes there are, where that is certain before they arrive. */
  length?: number | undefined
  /** Written in the commit that stores the mail, or alone when the mail was stored before. */
  alongside?: readonly Write[]
  /** The mail itself could not be taken: a person has to see it, and the bytes are all that is known of it. */
  parked?: { reason: InboundMailReason; error: string; sizeBytes: number }
}

export type StoredMail = Pick<InboundMail, '_id' | 'status'>

/** A mail up to this size is in memory until its bytes are stored, and a repeated one is known before; a larger one goes to the store while it arrives. */
const largeBytes = 128 * 1024
/** The most bytes of a mail, with the headers that a door writes before it. */
const bytesMax = mailBytesMax + 64 * 1024

/**
 * Stores a mail with its bytes and resolves once both are durable: from then on it is not lost. Nothing of it is read but
 * the headers and the body by which a repeated mail is known, which is stored once. Throws `BudgetSpent`.
 */
export async function storeMail(parts: StoreMailParts, mail: ReceivedMail): Promise<StoredMail> {
  const store = parts.storage.forTenant(mail.tenantId)
  const shares = inShares(mail.bytes, largeBytes)
  try {
    const { value: head = [] } = await shares.next()
    const arrival = { parts, store, mail, head }
    return await (sizeOf(head) < largeBytes ? storeSmall(arrival) : storeLarge(arrival, shares))
  } finally {
    await shares.return()
  }
}

interface Arrival {
  parts: StoreMailParts
  store: TenantStore
  mail: ReceivedMail
  /** The first bytes, which are all of a small mail. */
  head: readonly Uint8Array[]
}

async function storeSmall({ parts, store, mail, head }: Arrival): Promise<StoredMail> {
  const hashes = hashMail(head, bodyStartOf(head))
  const identity = mailIdentity(head, { inboxId: mail.inboxId, ...hashes })
  const { repeated, ...keys } = await keysOf(store, identity)
  if (repeated !== undefined) return settleRepeated(store, mail, repeated)
  const row = newBytes(parts, mail, sizeOf(head))
  const reservation = await admit(parts, mail, row)
  try {
    return await storeOnce({ parts, store, mail, row }, async () => {
      await parts.attachments.write(keyOf(row), inTurn(head))
      return { identity, keys, size: row.size }
    })
  } finally {
    reservation.end()
  }
}

/** The size that is not known yet counts as the largest one until the mail has arrived. */
async function storeLarge(
  { parts, store, mail, head }: Arrival,
  shares: AsyncIterable<Uint8Array[]>,
): Promise<StoredMail> {
  const row = newBytes(parts, mail, mail.length ?? bytesMax)
  const begun = { ...row, size: mail.length ?? sizeOf(head) }
  let reservation = await admit(parts, mail, begun)
  try {
    return await storeOnce({ parts, store, mail, row }, async () => {
      const { size, ...hashes } = await writeLarge(parts, row, { head, shares })
      if (mail.length === undefined) {
        reservation.end()
        reservation = noReservation
        // Its row counts with more than it has.
        reservation = await admit(parts, mail, { ...row, size: size - row.size }, size)
      }
      const identity = mailIdentity(head, { inboxId: mail.inboxId, ...hashes })
      return { identity, keys: await keysOf(store, identity), size }
    })
  } finally {
    reservation.end()
  }
}

const noReservation = { end() {} }

function admit(
  { budgets }: StoreMailParts,
  { tenantId, inboxId }: ReceivedMail,
  row: AttachmentRecord,
  bytes = row.size,
) {
  return budgets.admit({ tenantId, inboxId, bytes, writes: [{ op: 'insert', kind: 'attachments', row }] })
}

const keyOf = ({ tenantId, _id: id }: AttachmentRecord) => ({ tenantId, id })

/** Writes the bytes of a large mail, and hashes them by their file where the store has one. */
async function writeLarge(
  { attachments }: StoreMailParts,
  row: AttachmentRecord,
  { head, shares }: { head: readonly Uint8Array[]; shares: AsyncIterable<Uint8Array[]> },
): Promise<MailHashes & { size: number }> {
  const key = keyOf(row)
  const bodyStart = bodyStartOf(head)
  let size = 0
  async function* all() {
    yield* head
    for await (const share of shares) yield* share
  }
  async function* counted() {
    for await (const piece of all()) {
      size += piece.length
      yield piece
    }
  }
  const file = attachments.fileOf(key)
  if (file !== undefined) {
    await attachments.write(key, counted())
    return { ...(await hashFile(file, bodyStart).catch(refuseUnreadable)), size }
  }
  const hash = new PassingHash(bodyStart)
  await attachments.write(key, hash.pass(counted()))
  return { ...(await hash.end()), size }
}

function refuseUnreadable(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT'
    ? bytesRemoved(error)
    : unlessOfDisk(error, 'the bytes of a mail cannot be read')
}

interface Begun extends Omit<Arrival, 'head'> {
  row: BytesOfMail
}

interface Written {
  identity: MailIdentity
  keys: Keys
  size: number
}

/** The row comes first, so no bytes are ever there without one; it goes with the bytes of a mail that is not stored. */
async function storeOnce(begun: Begun, write: () => Promise<Written>): Promise<StoredMail> {
  const { parts, store, mail, row } = begun
  await store.commit({ writes: [{ op: 'insert', kind: 'attachments', row }], events: [] })
  try {
    const written = await write()
    passFaultPoint('mail-bytes-before-row')
    const stored = await commitOnce(begun, written)
    if (!('repeated' in stored)) return stored
    await release(parts, store, row._id)
    return await settleRepeated(store, mail, stored.repeated)
  } catch (error) {
    await release(parts, store, row._id)
    throw error
  }
}

async function commitOnce(
  { parts, store, mail, row: bytes }: Begun,
  { identity, size, ...written }: Written,
): Promise<StoredMail | { repeated: StoredMail }> {
  const { budgets, ids } = parts
  for (let { repeated, ...keys } = written.keys; ; { repeated, ...keys } = await keysOf(store, identity)) {
    if (repeated !== undefined) return { repeated }
    const { from, rfcMessageId, bodyHash, hash: sha256 } = identity
    const readAtMs = await budgets.readAtMs({ inboxId: mail.inboxId, from })
    const named = { from, rfcMessageId, bodyHash, ...keys }
    const row = newMail(parts, { mail, bytes, size, readAtMs, ...named })
    const now = row.createdAt
    const events = row.status === 'parked' ? [mailParkedEvent(row, { id: ids.next('evt'), now })] : []
    try {
      await commitMail(store, { row, size, sha256, alongside: mail.alongside, events })
    } catch (error) {
      if (!(error instanceof UniqueConflict)) throw error
      if ((await findFirst(store, keys.dedupKey)) === undefined) throw error
      // Another door was first: this mail is its repeat, or one that claims to be it.
      continue
    }
    passFaultPoint('mail-stored-before-answer')
    return { _id: row._id, status: row.status }
  }
}

async function findFirst(store: TenantStore, dedupKey: string) {
  const { rows } = await store.inboundMails.listRows({ dedupKey, page: 1, limit: 1 })
  return rows[0]
}

interface Keys {
  /** The mail is stored already. */
  repeated?: StoredMail
  dedupKey: string
  duplicateOf: string | null
}

/** A mail that claims to be a stored one and has another body is a row of its own: the claim may be a machine's mistake. */
async function keysOf(store: TenantStore, { dedupKey, copyKey, bodyHash }: MailIdentity): Promise<Keys> {
  const first = await findFirst(store, dedupKey)
  if (first === undefined) return { dedupKey, duplicateOf: null }
  if ((first.bodyHash ?? bodyHash) === bodyHash) return { repeated: first, dedupKey, duplicateOf: null }
  const copy = await findFirst(store, copyKey)
  return { ...(copy && { repeated: copy }), dedupKey: copyKey, duplicateOf: first._id }
}

async function settleRepeated(
  store: TenantStore,
  { alongside = [] }: ReceivedMail,
  { _id, status }: StoredMail,
): Promise<StoredMail> {
  if (alongside.length > 0) await store.commit({ writes: [...alongside], events: [] })
  return { _id, status }
}

const sizeOf = (pieces: readonly Uint8Array[]) => pieces.reduce((sum, { length }) => sum + length, 0)

type BytesOfMail = AttachmentRecord & { inboundMailId: string }

function newBytes({ clock, ids }: StoreMailParts, { tenantId }: ReceivedMail, size: number): BytesOfMail {
  const now = isoTime(clock.nowMs())
  return {
    _id: ids.next('att'),
    tenantId,
    inboundMailId: ids.next('mail'),
    state: 'uploading',
    filename: 'mail.eml',
    contentType: 'message/rfc822',
    size,
    sha256: '',
    messageId: null,
    erasedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

export async function* inTurn(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces
}

interface NewMail {
  mail: ReceivedMail
  bytes: BytesOfMail
  size: number
  dedupKey: string
  bodyHash: string
  duplicateOf: string | null
  rfcMessageId: string | null
  from: string | null
  readAtMs: number
}

function newMail(
  { clock }: StoreMailParts,
  { mail, bytes, size, readAtMs, ...keys }: NewMail,
): InboundMailRecord {
  const now = isoTime(clock.nowMs())
  const { tenantId, inboxId, door, envelope, parked } = mail
  return {
    _id: bytes.inboundMailId,
    tenantId,
    inboxId,
    door,
    status: parked ? 'parked' : 'received',
    reason: parked?.reason ?? null,
    envelope,
    subject: null,
    ...keys,
    attachmentId: bytes._id,
    sizeBytes: parked?.sizeBytes ?? size,
    conversationId: null,
    messageId: null,
    error: parked?.error ?? null,
    receivedAt: now,
    processedAt: parked ? now : null,
    rawDeletedAt: null,
    dueAt: parked ? null : isoTime(readAtMs),
    tries: 0,
    createdAt: now,
    updatedAt: now,
  }
}

interface CommittedMail {
  row: InboundMailRecord
  size: number
  sha256: string
  alongside: readonly Write[] | undefined
  events: DomainEvent[]
}

async function commitMail(
  store: TenantStore,
  { row, size, sha256, alongside = [], events }: CommittedMail,
): Promise<void> {
  const bytes = await store.attachments.find(row.attachmentId)
  // The removal of an unfinished upload hides its row first, and then deletes the bytes.
  if (bytes === undefined || bytes.erasedAt !== null) throw bytesRemoved()
  const set = { state: 'stored' as const, size, sha256, updatedAt: row.createdAt }
  const writes: Write[] = [
    { op: 'insert', kind: 'inboundMails', row },
    { op: 'update', kind: 'attachments', id: row.attachmentId, expectVersion: bytes.version, set },
    ...alongside,
  ]
  try {
    await store.commit({ writes, events })
  } catch (error) {
    if (error instanceof VersionConflict && error.kind === 'attachments') throw bytesRemoved(error)
    throw error
  }
}

const bytesRemoved = (cause?: unknown) =>
  new StorageUnavailable('the bytes of a mail were removed while it was stored', { cause })

/** A failure here is not the sender's: a later job removes the leftovers. */
async function release(
  { attachments, clock, log }: StoreMailParts,
  store: TenantStore,
  id: string,
): Promise<void> {
  try {
    const row = await store.attachments.find(id)
    if (row?.state !== 'uploading') return
    await removeAttachment({ store, attachments, now: isoTime(clock.nowMs()) }, row)
  } catch (error) {
    log.warn({ err: error, attachmentId: id }, 'The bytes of a mail that was not stored are removed later')
  }
}
