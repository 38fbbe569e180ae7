import { type IdFactory, type InboundMailReason, mailParkedEvent } from '@crmkit/core'
import type { RoundRobin } from '../../features/handler.ts'
import type { JobParts } from '../../jobs/background-job.ts'
import type { AttachmentKey, AttachmentStore } from '../../ports/attachment-store.ts'
import type { Write } from '../../ports/change.ts'
import type { TenantStore } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import { isErasedMail, isErasedSender } from '../../shared/erased-address.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import { isBlockedAddress } from '../../shared/is-blocked-address.ts'
import { mailRemoval } from '../../shared/mail-removal.ts'
import { isNotedDoor } from '../../shared/note-door.ts'
import { StorageUnavailable, UniqueConflict, VersionConflict } from '../../storage/errors.ts'
import { type InboundMailRecord, needsYouUntil } from '../../storage/kinds/inbound-mails.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import type { Stored, TenantId } from '../../storage/records.ts'
import { findMailTags } from '../addresses/mail-key.ts'
import { ownAddressesOf } from '../addresses/own-addresses.ts'
import { MailRefused } from '../parse/mail-refused.ts'
import type { MailParser, ParsedMail, RawMail } from '../parser-process/mail-parser.ts'
import { madeSender, unreadMail } from './made-mail.ts'
import { planBounce } from './plan-bounce.ts'
import { planMessage } from './plan-message.ts'
import { type StoredFiles, storeFiles } from './store-files.ts'
import { isOwnMail, type MailSenderFacts, notProven, senderOf } from './true-sender.ts'
import { verifiedSender } from './verified-sender.ts'

const conflictsMax = 5
/** Mails with one Message-ID among which the first copy is searched. */
const duplicatesMax = 20
/** As many of its References a reply to a mail repeats. */
const referencesMax = 30
const triesMax = 5
const firstWaitMs = 5_000
const suspendedWaitMs = 60_000

export type ProcessParts = Pick<
  JobParts,
  'storage' | 'attachments' | 'clock' | 'ids' | 'log' | 'secrets' | 'mail' | 'meters'
> & {
  parser: MailParser
  roundRobin: RoundRobin
}

export type Mail = Stored<InboundMailRecord>

interface Decision {
  status: 'processed' | 'parked' | 'ignored'
  reason?: InboundMailReason
  error?: string
  conversationId?: string
  messageId?: string
  from?: string | null
  subject?: string
  references?: string[]
}

export interface Try {
  tenantId: TenantId
  mail: Mail
  /** How long reading it may take. */
  jobMs: number
  isLast: boolean
}

/** Throws `MailRefused` for a mail that takes too long and is tried again. */
export async function processMail(parts: ProcessParts, each: Try): Promise<void> {
  const { storage, clock, log } = parts
  const { tenantId, mail } = each
  const store = storage.forTenant(tenantId)
  const tenant = await storage.system.findTenant(tenantId)
  try {
    if (tenant === undefined || tenant.isSuspended)
      await postpone(store, mail, clock.nowMs() + suspendedWaitMs)
    else await readAndDecide(parts, store, each)
  } catch (error) {
    // Another commit changed the mail: the next poll reads it again.
    if (error instanceof VersionConflict || isNotedDoor(error)) return
    if (error instanceof StorageUnavailable || error instanceof MailRefused) throw error
    log.error({ err: error, mailId: mail._id }, 'A mail could not be processed; it is tried again')
    await retryLater(parts, store, mail)
  }
}

export function unlessChanged(error: unknown): void {
  if (!(error instanceof VersionConflict)) throw error
}

export async function postpone(
  store: TenantStore,
  mail: Mail,
  atMs: number,
  tries = mail.tries,
): Promise<void> {
  const set = { dueAt: isoTime(atMs), tries }
  await store.commit({
    writes: [{ op: 'update', kind: 'inboundMails', id: mail._id, expectVersion: mail.version, set }],
    events: [],
  })
}

async function retryLater({ clock, ids }: ProcessParts, store: TenantStore, mail: Mail): Promise<void> {
  const tries = mail.tries + 1
  const nowMs = clock.nowMs()
  const ended = { now: isoTime(nowMs), status: 'parked', reason: 'internal', error: internal } as const
  const settled =
    tries < triesMax
      ? postpone(store, mail, nowMs + firstWaitMs * 2 ** tries, tries)
      : decide({ store, ids }, { mail, ...ended })
  await settled.catch(unlessChanged)
}

const internal = 'The service failed to process the mail'

/** Returns the write of a decision. It conflicts when the mail was decided about before. */
function decisionWrite(mail: Mail, { now, ...decision }: Decision & { now: string }) {
  // A conversation that was made of the mail waits for it.
  const of = mail.made ? mail.conversationId : null
  const { status, reason = null, error = null, conversationId = of, messageId = null, ...read } = decision
  const set = {
    status,
    reason,
    error,
    conversationId,
    messageId,
    processedAt: now,
    dueAt: null,
    updatedAt: now,
    ...read,
  }
  return {
    op: 'update',
    kind: 'inboundMails',
    id: mail._id,
    expectVersion: mail.version,
    set,
  } satisfies Write
}

interface Decided {
  mail: Mail
  now: string
  /** Further writes of the commit. */
  writes?: readonly Write[]
}

/** Commits a decision that makes no message. A mail that needs a person from now on has an event. */
async function decide(
  { store, ids }: { store: TenantStore; ids: IdFactory },
  { mail, writes = [], ...decision }: Decided & Decision,
): Promise<void> {
  const write = decisionWrite(mail, decision)
  const after = { ...mail, ...write.set }
  const isNews = needsYouUntil(after) !== null && needsYouUntil(mail) === null
  const events = isNews ? [mailParkedEvent(after, { id: ids.next('evt'), now: decision.now })] : []
  await store.commit({ writes: [write, ...writes], events })
}

/** Its sender was erased after it arrived: nothing of it stays. */
async function removeMail(store: TenantStore, mail: Mail, now: string): Promise<void> {
  await store.commit({ writes: await mailRemoval(store, mail, now), events: [] })
}

const refusals: Readonly<Record<MailRefused['reason'], string>> = {
  too_complex: 'The mail has too many parts, levels or bytes',
  parse_failed: 'The mail is damaged and cannot be read',
  parse_timeout: 'Reading the mail took too long',
}

async function readAndDecide(
  parts: ProcessParts,
  store: TenantStore,
  { mail, jobMs, isLast }: Try,
): Promise<void> {
  const { clock, parser, attachments, ids } = parts
  const now = () => isoTime(clock.nowMs())
  if (await isErasedMail(store, mail)) return removeMail(store, mail, now())
  const park = (reason: InboundMailReason, error: string) =>
    decide({ store, ids }, { mail, now: now(), status: 'parked', reason, error })
  const inbox = await inboxOf(store, mail)
  if (inbox === undefined) return park('inbox_deleted', 'The inbox was deleted')
  if (!inbox.isActive && !mail.made) return park('inbox_inactive', 'The inbox is not in use')
  const raw = await rawOf(attachments, { tenantId: store.tenantId, id: mail.attachmentId })
  if (raw === undefined) return park('internal', 'The bytes of the mail are missing')
  try {
    await parser.parse(raw, (parsed) => decideRead(parts, store, { mail, inbox, parsed }), { jobMs })
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error
    const { reason } = error
    if (reason === 'parse_timeout') {
      if (!isLast) throw error
      parts.meters.budgetRefused('parserTime')
    }
    if (mail.made)
      return decideRead(parts, store, { mail, inbox, parsed: unreadMail(mail, refusals[reason]) })
    await park(reason, refusals[reason])
  }
}

/** A mail of which a person has made a conversation belongs to the inbox of that. */
async function inboxOf(store: TenantStore, mail: Mail) {
  const made =
    mail.made && mail.conversationId ? await store.conversations.find(mail.conversationId) : undefined
  return store.inboxes.find(made?.inboxId ?? mail.inboxId)
}

/** Returns where the bytes of a mail are; undefined when there are none. */
async function rawOf(attachments: AttachmentStore, key: AttachmentKey): Promise<RawMail | undefined> {
  const file = attachments.fileOf(key)
  if (file === undefined) return attachments.read(key)
  return (await attachments.sizeOf(key)) === undefined ? undefined : { file }
}

interface ReadMail {
  mail: Mail
  inbox: InboxRecord
  parsed: ParsedMail
}

async function decideRead(parts: ProcessParts, store: TenantStore, read: ReadMail): Promise<void> {
  const { mail, inbox, parsed } = read
  const { clock, ids, secrets } = parts
  const { facts } = parsed
  const from = mail.made ? madeSender(mail, facts) : facts.from[0]
  const about = { now: isoTime(clock.nowMs()), from: from?.address ?? null, subject: facts.subject }
  if (mail.duplicateOf && !mail.made) return decideCopy(parts, store, { mail, about })
  const tags = await findMailTags(store, secrets)
  if (!mail.made && (await decideReport(parts, store, { ...read, tags, about }))) return
  if (from === undefined) {
    const error = 'The mail names no sender'
    return decide({ store, ids }, { mail, ...about, status: 'parked', reason: 'no_sender', error })
  }
  if (!mail.made && isOwnMail(facts, { tags, inbox }))
    return decide({ store, ids }, { mail, ...about, status: 'ignored', reason: 'loop' })
  const verified = verifiedSender({ ...facts, authservIds: inbox.email?.authservIds ?? [] })
  const own = await ownAddressesOf(store, parts.mail)
  const sender = mail.made?.isSenderGiven
    ? { from, verified: notProven(verified), isOwnAddress: false }
    : senderOf({ facts, from, verified, inbox, own })
  // The author may be another one than the envelope and the header name.
  const { receivedAt } = mail
  if (await isErasedSender(store, { address: sender.from.address, receivedAt }))
    return removeMail(store, mail, about.now)
  if (!mail.made && (await isBlockedAddress(store, sender.from.address))) {
    return decide({ store, ids }, { mail, ...about, status: 'ignored', reason: 'blocked' })
  }
  const attachments = await storeFiles(parts, store, parsed)
  const known = { ...about, from: sender.from.address }
  return commitMessage(parts, store, { ...read, ...sender, tags, about: known, attachments })
}

interface KnownMail extends ReadMail {
  tags: Awaited<ReturnType<typeof findMailTags>>
  about: { now: string; from: string | null; subject: string }
}

/**
 * Commits the change of a report about a mail of ours; returns false for a mail that is none. A report about another mail
 * waits for a person: a mail system is no customer. It may name no sender.
 */
async function decideReport(
  { ids, mail: { domain } }: ProcessParts,
  store: TenantStore,
  { mail, inbox, parsed: { facts }, tags, about }: KnownMail,
): Promise<boolean> {
  const { bounce } = facts
  if (bounce === null) return false
  const { now } = about
  const planned = await planBounce({ store, ids, now, tags, inbox, mail, facts, bounce, domain })
  if (planned === undefined && bounce.form === 'complaint') return false
  if (planned === undefined) {
    const error = 'The report names no mail of this service'
    await decide({ store, ids }, { mail, ...about, status: 'parked', reason: 'bounce_unknown', error })
    return true
  }
  const { writes, events, conversationId, messageId } = planned
  const decision = decisionWrite(mail, { ...about, status: 'ignored', reason: 'bounce', conversationId })
  const raw = await rawWrite(store, mail, messageId)
  await store.commit({ writes: [...writes, decision, ...raw], events })
  return true
}

interface CommittedMail extends KnownMail, MailSenderFacts {
  attachments: StoredFiles
}

/** Only an automatic reply is limited. */
async function limitsOf({ storage }: ProcessParts, { tenantId }: TenantStore, { email }: InboxRecord) {
  return email?.autoReply.enabled ? (await storage.system.findTenant(tenantId))?.limits : undefined
}

/** Decides on fresh rows again while another commit changes them. */
async function commitMessage(parts: ProcessParts, store: TenantStore, read: CommittedMail): Promise<void> {
  const { ids, roundRobin, secrets } = parts
  const services = { secrets, mail: parts.mail }
  const { mail, inbox, tags, from, about, attachments, verified, isOwnAddress } = read
  const { facts } = read.parsed
  const tenantLimits = await limitsOf(parts, store, inbox)
  for (let conflicts = 0; ; conflicts++) {
    const query = {
      store,
      services,
      tenantLimits,
      tags,
      inbox,
      mail,
      facts,
      verified,
      isOwnAddress,
      domain: parts.mail.domain,
      ids,
      now: about.now,
      roundRobin,
      from,
      made: mail.made ? { conversationId: mail.conversationId ?? '', isNew: mail.made.isNew } : undefined,
      attachments,
      quotations: read.parsed.quotations,
    }
    const { change, conversationId, messageId } = await planMessage(query)
    const references = facts.references.slice(-referencesMax)
    const made = { references, conversationId, messageId }
    const decision = decisionWrite(mail, { ...about, status: 'processed', ...made })
    try {
      const raw = await rawWrite(store, mail, messageId)
      passFaultPoint('mail-read-before-commit')
      return await store.commit({ ...change, writes: [...change.writes, decision, ...raw] })
    } catch (error) {
      if (error instanceof UniqueConflict && error.kind === 'inboundMails') {
        // Another inbox got the same mail, and its copy is in the conversation already.
        return decideDuplicate(store, mail, { ...about, conversationId })
      }
      if (!(error instanceof VersionConflict) || conflicts >= conflictsMax) throw error
    }
  }
}

/** A mail that claims to be a stored one, and is not. A person finds it in the list, and with the conversation of that one. */
async function decideCopy(
  { ids }: ProcessParts,
  store: TenantStore,
  { mail, about }: Pick<KnownMail, 'mail' | 'about'>,
): Promise<void> {
  const first = await store.inboundMails.find(mail.duplicateOf ?? '')
  const raw = first?.messageId ? await rawWrite(store, mail, first.messageId) : []
  const { conversationId = null } = first ?? {}
  const of = conversationId !== null && { conversationId }
  await decide({ store, ids }, { mail, ...about, ...of, status: 'ignored', reason: 'duplicate', writes: raw })
}

/** Another mail of the conversation has the Message-ID: the bytes of this one are erased with its message too. */
async function decideDuplicate(
  store: TenantStore,
  mail: Mail,
  about: { now: string; conversationId: string },
): Promise<void> {
  const { rows } = await store.inboundMails.listRows({
    ...(mail.rfcMessageId !== null && { rfcMessageId: mail.rfcMessageId }),
    page: 1,
    limit: duplicatesMax,
  })
  const first = rows.find((row) => row.conversationId === about.conversationId && row.messageId !== null)
  const raw = first?.messageId ? await rawWrite(store, mail, first.messageId) : []
  const decision = decisionWrite(mail, { ...about, status: 'ignored', reason: 'duplicate' })
  await store.commit({ writes: [decision, ...raw], events: [] })
}

/** The bytes of a mail are erased with its message. */
async function rawWrite(store: TenantStore, { attachmentId }: Mail, messageId: string): Promise<Write[]> {
  const row = await store.attachments.find(attachmentId)
  if (row === undefined) return []
  return [
    { op: 'update', kind: 'attachments', id: attachmentId, expectVersion: row.version, set: { messageId } },
  ]
}
