import { type Message, type MessageRecipient, shownMessage } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import { doorWrites } from '../../shared/note-door.ts'

const dayMs = 24 * 3_600_000
const rule = { days: 7, recipients: 100, bounces: 8, complaints: 3 } as const
const pageSize = 100
/** The address does not exist, or is disabled: the sentence of a report begins with its code. */
const isHard = /^5\.(?:1\.\d{1,3}|2\.1)\b/

/**
 * Returns the writes by which an inbox rests: so many reports say that its mail goes to people who did not ask for it, or to a list that
 * nobody keeps. They are counted when a report arrives, so a mail that leaves costs nothing. There are none in most cases.
 */
export async function restWrites(
  { store, now }: { store: TenantReads; now: string },
  reported: Message,
): Promise<Write[]> {
  const bad = reported.recipients.some((recipient) => isBounced(recipient) || isComplaint(recipient))
  const conversation = bad ? await store.conversations.find(reported.conversationId) : undefined
  const inbox = conversation && (await store.inboxes.find(conversation.inboxId))
  if (inbox === undefined || inbox.sending?.state === 'resting') return []
  const weekAgoMs = Date.parse(now) - rule.days * dayMs
  const since = isoTime(Math.max(weekAgoMs, Date.parse(inbox.sending?.releasedAt ?? isoTime(weekAgoMs))))
  const newest = await newestRecipients(store, { inboxId: inbox._id, since, reported })
  const bounces = newest.filter(isBounced).length
  const complaints = newest.filter(isComplaint).length
  if (bounces < rule.bounces && complaints < rule.complaints) return []
  const reason =
    complaints >= rule.complaints
      ? `${complaints} of the ${newest.length} newest recipients report the mail as spam.`
      : `${bounces} of the ${newest.length} newest recipients do not exist.`
  const { _id: id, version: expectVersion, sending } = inbox
  const set = { sending: { ...sending, state: 'resting', since: now, reason } } as const
  const trouble = { reason, isSignInRefused: true }
  return [
    { op: 'update', kind: 'inboxes', id, expectVersion, set },
    ...(await doorWrites(store, { door: 'rest', of: id }, { trouble, now })),
  ]
}

function isBounced({ status, bouncedAt, text }: MessageRecipient): boolean {
  return status === 'failed' && bouncedAt !== null && isHard.test(text ?? '')
}

function isComplaint({ complainedAt }: MessageRecipient): boolean {
  return complainedAt !== null
}

interface Newest {
  inboxId: string
  since: string
  /** Its report is not stored yet. */
  reported: Message
}

/** Returns the newest recipients of an inbox: a conversation changed last after all of its mail. */
async function newestRecipients(
  store: TenantReads,
  { inboxId, since, reported }: Newest,
): Promise<MessageRecipient[]> {
  const sent: Message[] = [reported]
  const { rows } = await store.conversations.listRows({
    inboxId,
    sort: '-updatedAt',
    page: 1,
    limit: pageSize,
  })
  for (const { _id: conversationId, updatedAt } of rows) {
    if (updatedAt < since) break
    const page = { conversationId, sort: '-createdAt', page: 1, limit: pageSize } as const
    const { rows: messages } = await store.messages.listRows(page)
    for (const row of messages) {
      const isOurs = row.direction === 'outbound' && row._id !== reported._id && row.createdAt >= since
      if (isOurs) sent.push(shownMessage(row))
    }
  }
  return sent
    .filter(({ createdAt }) => createdAt >= since)
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
    .flatMap(({ recipients }) => recipients)
    .slice(0, rule.recipients)
}
