import {
  type DomainEvent,
  type IdFactory,
  type InboundMail,
  type InboundMailReason,
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
import { removeAttachment } from '../../shared/remove-attachment.ts'
import { StorageUnavailable, UniqueConflict, VersionConflict } from '../../storage/errors.ts'
import type { AttachmentRecord } from '../../storage/kinds/attachments.ts'
import type { InboundMailRecord } from '../../storage/kinds/inbound-mails.ts'
import type { TenantId } from '../../storage/records.ts'
import { type MailIdentity, mailIdentity } from './mail-identity.ts'

export interface StoreMailParts {
  storage: Pick<Storage, 'forTenant'>
  attachments: Pick<AttachmentStore, 'write' | 'remove'>
  budgets: Pick<MailBudgets, 'admit' | 'readAtMs'>
  clock: Clock
  ids: IdFactory
  log: Log
}

/** A mail as a door has received it. */
export interface ReceivedMail {
  tenantId: TenantId
  inboxId: string
  door: InboundMail['door']
  envelope: InboundMail['envelope']
  pieces: readonly Uint8Array[]
  /** Written in the commit that stores the mail, or alone when the mail was stored before. */
  alongside?: readonly Write[]
  /** The mail itself could not be taken: a person has to see it, and the pieces are all that is known of it. */
  parked?: { reason: InboundMailReason; error: string; sizeBytes: number }
}

export type StoredMail = Pick<InboundMail, '_id' | 'status'>

/**
 * Stores a mail with its bytes and resolves once both are durable: from then on it is not lost. Nothing of it is read but
 * the headers and the body by which a repeated mail is known, which is stored once. Throws `BudgetSpent`.
 */
export async function storeMail(parts: StoreMailParts, mail: ReceivedMail): Promise<StoredMail> {
  const store = parts.storage.forTenant(mail.tenantId)
  return storeOnce(parts, { store, mail, identity: await mailIdentity(mail) })
}

interface Arrival {
  store: TenantStore
  mail: ReceivedMail
  identity: MailIdentity
}

async function storeOnce(parts: StoreMailParts, arrival: Arrival): Promise<StoredMail> {
  const { store, mail, identity } = arrival
  const { repeated, ...keys } = await keysOf(store, identity)
  if (repeated !== undefined) return settleRepeated(store, mail, repeated)
  const { budgets, ids } = parts
  const { tenantId, inboxId } = mail
  const id = ids.next('mail')
  const bytesRow = newBytes(parts, mail, id)
  const { _id: attachmentId } = bytesRow
  const writes = [{ op: 'insert', kind: 'attachments', row: bytesRow }] as const
  const reservation = await budgets.admit({ tenantId, inboxId, bytes: sizeOf(mail), writes })
  try {
    await writeBytes(parts, store, { mail, id: attachmentId, writes })
    passFaultPoint('mail-bytes-before-row')
    const { from, rfcMessageId, bodyHash } = identity
    const readAtMs = await budgets.readAtMs({ inboxId, from })
    const named = { from, rfcMessageId, bodyHash, ...keys }
    const row = newMail(parts, { id, mail, attachmentId, readAtMs, ...named })
    const now = row.createdAt
    const events = row.status === 'parked' ? [mailParkedEvent(row, { id: ids.next('evt'), now })] : []
    await commitMail(store, { row, sha256: identity.hash, alongside: mail.alongside, events })
    passFaultPoint('mail-stored-before-answer')
    return { _id: row._id, status: row.status }
  } catch (error) {
    await release(parts, store, attachmentId)
    if (!(error instanceof UniqueConflict)) throw error
    if ((await findFirst(store, keys.dedupKey)) === undefined) throw error
    // Another door was first: this mail is its repeat, or one that claims to be it.
    return storeOnce(parts, arrival)
  } finally {
    reservation.end()
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

const sizeOf = ({ pieces }: Pick<ReceivedMail, 'pieces'>) =>
  pieces.reduce((sum, { length }) => sum + length, 0)

function newBytes(
  { clock, ids }: StoreMailParts,
  mail: ReceivedMail,
  inboundMailId: string,
): AttachmentRecord {
  const now = isoTime(clock.nowMs())
  return {
    _id: ids.next('att'),
    tenantId: mail.tenantId,
    inboundMailId,
    state: 'uploading',
    filename: 'mail.eml',
    contentType: 'message/rfc822',
    size: sizeOf(mail),
    sha256: '',
    messageId: null,
    erasedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** The row comes first, so no bytes are ever there without one. */
async function writeBytes(
  { attachments }: StoreMailParts,
  store: TenantStore,
  { mail, id, writes }: { mail: ReceivedMail; id: string; writes: readonly Write[] },
): Promise<void> {
  const { tenantId, pieces } = mail
  await store.commit({ writes: [...writes], events: [] })
  await attachments.write({ tenantId, id }, inTurn(pieces))
}

async function* inTurn(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces
}

interface NewMail {
  id: string
  mail: ReceivedMail
  attachmentId: string
  dedupKey: string
  bodyHash: string
  duplicateOf: string | null
  rfcMessageId: string | null
  from: string | null
  readAtMs: number
}

function newMail({ clock }: StoreMailParts, { id, mail, readAtMs, ...keys }: NewMail): InboundMailRecord {
  const now = isoTime(clock.nowMs())
  const { tenantId, inboxId, door, envelope, parked } = mail
  return {
    _id: id,
    tenantId,
    inboxId,
    door,
    status: parked ? 'parked' : 'received',
    reason: parked?.reason ?? null,
    envelope,
    subject: null,
    ...keys,
    sizeBytes: parked?.sizeBytes ?? sizeOf(mail),
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
  sha256: string
  alongside: readonly Write[] | undefined
  events: DomainEvent[]
}

async function commitMail(
  store: TenantStore,
  { row, sha256, alongside = [], events }: CommittedMail,
): Promise<void> {
  const bytes = await store.attachments.find(row.attachmentId)
  // The removal of an unfinished upload hides its row first, and then deletes the bytes.
  if (bytes === undefined || bytes.erasedAt !== null) throw bytesRemoved()
  const set = { state: 'stored' as const, sha256, updatedAt: row.createdAt }
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
