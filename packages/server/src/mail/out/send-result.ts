import {
  type IdFactory,
  type InboxEmail,
  type MailAttempt,
  type Message,
  shownMessage,
  statusOfRecipients,
} from '@crmkit/core'
import type { Change, Write } from '../../ports/change.ts'
import type { MailResult } from '../../ports/mail-sender.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import { attemptWithout } from '../../shared/erased-address.ts'
import { messageStatusChange } from '../../shared/message-status-change.ts'
import { doorWrites } from '../../shared/note-door.ts'
import { removalOf } from '../../shared/removal-of.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import { type MailSend, remoteKeyOf } from '../../storage/kinds/mail-sends.ts'
import { type Stored, withoutVersion } from '../../storage/records.ts'
import { remoteIdIn } from '../addresses/remote-ids.ts'
import { saysNothing } from './away-servers.ts'
import { chatRecipientsChange } from './chat-mail-result.ts'
import type { MailClaim } from './send-queued-mail.ts'
import { givenUp, loggedAttempts, nextAttemptMs, recipientsAfter } from './send-schedule.ts'

interface Ended {
  claim: MailClaim
  result: MailResult
  to: readonly string[]
  /** When the server is tried next; null: nothing holds its mail back. */
  nextTryAt: string | null
}

/**
 * Returns the change of an attempt that has ended: the message with its recipients, the log, the next attempt and the
 * event, all in one commit. Undefined when another process has the mail by now, or nobody any more.
 */
export async function resultChange(
  { store, ids, nowMs }: { store: TenantReads; ids: IdFactory; nowMs: number },
  { claim, result, to, nextTryAt }: Ended,
): Promise<Change | undefined> {
  const { send } = claim
  if (send.systemMail !== undefined) return systemMailChange(store, { claim, result, to, nowMs })
  const [row, current, inbox] = await Promise.all([
    store.messages.find(send._id),
    store.mailSends.find(send._id),
    store.inboxes.find(send.inboxId),
  ])
  if (row === undefined || current === undefined || current.lockToken !== send.lockToken) return undefined
  const now = isoTime(nowMs)
  if (current.chatMessageIds !== undefined)
    return chatMailChange({ store, ids, nowMs }, { claim, result, to, nextTryAt }, { current, inbox })
  const { before, message, nextMs } = messageAfter(shownMessage(withoutVersion(row)), {
    claim,
    result,
    current,
    nowMs,
  })
  const { status, recipients, email } = message
  const wasTried = result.outcome !== 'sent' && !saysNothing(result)
  const writes: Write[] = [
    {
      op: 'update',
      kind: 'messages',
      id: before._id,
      expectVersion: row.version,
      set: { status, recipients, email, updatedAt: now },
    },
    {
      op: 'update',
      kind: 'mailSends',
      id: send._id,
      expectVersion: current.version,
      set: {
        status: nextMs === null ? 'done' : 'queued',
        dueAt: nextMs === null ? null : isoTime(nextMs),
        lockToken: null,
        tries: current.tries + (wasTried ? 1 : 0),
        attempts: attemptsFor(recipients, loggedAttempts(current.attempts, { result, to, at: now })),
        ...remoteKeySet(claim, result),
        updatedAt: now,
      },
    },
    ...(inbox ? serverStatusWrites(inbox, { result, nextTryAt, now }) : []),
    ...(inbox ? await doorWritesOf(store, inbox, { result, now }) : []),
  ]
  if (status === before.status) return { writes, events: [] }
  const change = await messageStatusChange({ store, ids, now }, { before, message })
  return { writes: [...writes, ...change.writes], events: change.events }
}

interface ChatMailRows {
  current: Stored<MailSend>
  inbox: Stored<InboxRecord> | undefined
}

/** The mail of a chat: each message that it holds says how far the mail has come, and stays as it is itself. */
async function chatMailChange(
  { store, ids, nowMs }: { store: TenantReads; ids: IdFactory; nowMs: number },
  { claim, result, to, nextTryAt }: Ended,
  { current, inbox }: ChatMailRows,
): Promise<Change> {
  const now = isoTime(nowMs)
  const found = await Promise.all((current.chatMessageIds ?? []).map((id) => store.messages.find(id)))
  const rows = found.filter((row) => row !== undefined)
  const after = (before: Message['recipients']) => recipientsAfter(before, result)
  const last = rows.find(({ _id }) => _id === current._id)
  const isWaiting = after(last?.recipients ?? []).some(({ status }) => status === 'queued')
  const nextMs = isWaiting ? nextAttemptMs(current, result, nowMs) : null
  const change = await chatRecipientsChange({ store, ids, now }, rows, (before) =>
    nextMs === null ? givenUp(after(before), result.response) : after(before),
  )
  const wasTried = result.outcome !== 'sent' && !saysNothing(result)
  const set = {
    status: nextMs === null ? ('done' as const) : ('queued' as const),
    dueAt: nextMs === null ? null : isoTime(nextMs),
    lockToken: null,
    tries: current.tries + (wasTried ? 1 : 0),
    attempts: attemptsFor(
      after(last?.recipients ?? []),
      loggedAttempts(current.attempts, { result, to, at: now }),
    ),
    ...remoteKeySet(claim, result),
    updatedAt: now,
  }
  const { _id: id, version: expectVersion } = current
  return {
    writes: [
      { op: 'update', kind: 'mailSends', id, expectVersion, set },
      ...change.writes,
      ...(inbox ? serverStatusWrites(inbox, { result, nextTryAt, now }) : []),
      ...(inbox ? await doorWritesOf(store, inbox, { result, now }) : []),
    ],
    events: change.events,
  }
}

/** Of several attempts the last one counts: its mail went to those whom the earlier ones did not reach. */
function remoteKeySet(
  { server, send }: MailClaim,
  { outcome, response }: MailResult,
): Pick<MailSend, 'remoteKey'> {
  const remoteId = outcome === 'sent' ? remoteIdIn(response) : undefined
  if (remoteId === undefined) return {}
  return { remoteKey: remoteKeyOf(server === 'relay' ? server : send, remoteId) }
}

/** A recipient may have been erased while the attempt ran: the log names nobody whom the message does not name. */
function attemptsFor(recipients: Message['recipients'], attempts: readonly MailAttempt[]): MailAttempt[] {
  const named = new Set(recipients.map(({ address }) => address))
  return attempts.map((attempt) => attemptWithout(attempt, (address) => !named.has(address)))
}

/** A system mail that was sent is deleted, and so is one that cannot be: it may hold a token. */
async function systemMailChange(
  store: TenantReads,
  { claim: { send }, result, to, nowMs }: Omit<Ended, 'nextTryAt'> & { nowMs: number },
): Promise<Change | undefined> {
  const current = await store.mailSends.find(send._id)
  if (current === undefined || current.lockToken !== send.lockToken) return undefined
  const { _id: id, version: expectVersion } = current
  const outcome = result.recipients[0]?.outcome ?? result.outcome
  const isOver = outcome === 'sent' || outcome === 'failed'
  const nextMs = isOver ? null : nextAttemptMs(current, result, nowMs)
  if (nextMs === null) return { writes: [removalOf('mailSends', current)], events: [] }
  const now = isoTime(nowMs)
  const set = {
    dueAt: isoTime(nextMs),
    lockToken: null,
    tries: current.tries + (saysNothing({ outcome }) ? 0 : 1),
    attempts: loggedAttempts(current.attempts, { result, to, at: now }),
    updatedAt: now,
  }
  return { writes: [{ op: 'update', kind: 'mailSends', id, expectVersion, set }], events: [] }
}

interface AttemptedMessage {
  claim: MailClaim
  result: MailResult
  current: MailSend
  nowMs: number
}

/** Returns the message after the attempt, and when the next one is due; null when none follows. */
function messageAfter(before: Message, { claim, result, current, nowMs }: AttemptedMessage) {
  const tried = recipientsAfter(before.recipients, result)
  const isWaiting = tried.some(({ status }) => status === 'queued')
  const nextMs = isWaiting ? nextAttemptMs(current, result, nowMs) : null
  const recipients = nextMs === null ? givenUp(tried, result.response) : tried
  const isDoubled = claim.wasInterrupted || result.outcome === 'unknown'
  const email = before.email && {
    ...before.email,
    possiblyDoubled: before.email.possiblyDoubled || isDoubled,
  }
  const status = statusOfRecipients(recipients)
  return { before, message: { ...before, status, recipients, email, updatedAt: isoTime(nowMs) }, nextMs }
}

/** The inbox says how its server does; written only when that changes, because many mails end at the same moment. */
function serverStatusWrites(
  inbox: Stored<InboxRecord>,
  { result, nextTryAt, now }: Pick<Ended, 'result' | 'nextTryAt'> & { now: string },
): Write[] {
  const { email } = inbox
  if (email?.transport !== 'smtp' || email.smtp === null) return []
  const ok = !saysNothing(result)
  const error = ok ? null : result.response
  const { status } = email.smtp
  const reauthRequired = !ok && status.reauthRequired === true
  const isKnown = status.ok === ok && status.error === error && (status.nextTryAt ?? null) === nextTryAt
  if (isKnown) return []
  const after: InboxEmail = {
    ...email,
    smtp: { ...email.smtp, status: { ok, checkedAt: now, error, reauthRequired, nextTryAt } },
  }
  const { _id: id, version: expectVersion } = inbox
  return [{ op: 'update', kind: 'inboxes', id, expectVersion, set: { email: after } }]
}

/** The relay is the operator's: its words are not for every tenant. */
const relayTrouble = 'The relay of this installation takes no mail at present.'

async function doorWritesOf(
  store: TenantReads,
  { _id, email }: InboxRecord,
  { result, now }: { result: MailResult; now: string },
): Promise<Write[]> {
  if (email === undefined || email.transport === 'none') return []
  const isSignInRefused = result.outcome === 'refused_sign_in'
  const reason = email.transport === 'relay' ? relayTrouble : result.response
  const trouble = saysNothing(result) ? { reason, isSignInRefused } : null
  return doorWrites(store, { door: 'server', of: _id }, { trouble, now })
}
