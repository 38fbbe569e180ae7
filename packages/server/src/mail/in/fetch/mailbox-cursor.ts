import type { Write } from '../../../ports/change.ts'
import type { OpenMailbox } from '../../../ports/mail-source.ts'
import type { TenantStore } from '../../../ports/storage.ts'
import { isoTime } from '../../../shared/clock.ts'
import type { InboxRecord } from '../../../storage/kinds/inboxes.ts'
import { mailboxKey } from '../../addresses/mailbox-of-inbox.ts'

/** The clock of the server may be behind by as much: rather an old mail twice at the door than a lost one. */
const clockSkewMs = 5 * 60_000

/** The position in a mailbox. It moves in the commit that stores a mail. */
export interface MailboxCursor {
  id: string
  version: number
  uid: number
  oldUid: number
  startsAt: string
}

interface Opening {
  store: TenantStore
  inbox: InboxRecord
  mailbox: Pick<OpenMailbox, 'uidValidity' | 'uidNext'>
  nowMs: number
}

/**
 * Returns the position to continue from. A mailbox that is read for the first time begins with its next mail, or at the
 * moment of the settings. After a change of its UIDs it begins again, with the mail since that start: the mails that are
 * stored already are duplicates.
 */
export async function openCursor({ store, inbox, mailbox, nowMs }: Opening): Promise<MailboxCursor> {
  const { _id: id, tenantId } = inbox
  const { uidValidity, uidNext } = mailbox
  const now = isoTime(nowMs)
  const row = await store.mailCursors.find(id)
  const key = mailboxKey(inbox)
  const since = inbox.email?.imap?.since ?? null
  const isSame = row?.mailbox === key
  if (row !== undefined && isSame && row.uidValidity === uidValidity) {
    const { version, uid, oldUid, startsAt } = row
    return { id, version, uid, oldUid, startsAt }
  }
  const oldUid = Math.max(0, uidNext - 1)
  const startsAt = isSame ? row.startsAt : (since ?? isoTime(nowMs - clockSkewMs))
  const uid = isSame || since !== null ? 0 : oldUid
  const set = { mailbox: key, uidValidity, uid, oldUid, startsAt, updatedAt: now }
  const write: Write =
    row === undefined
      ? { op: 'insert', kind: 'mailCursors', row: { _id: id, tenantId, ...set, createdAt: now } }
      : { op: 'update', kind: 'mailCursors', id, expectVersion: row.version, set }
  await store.commit({ writes: [write], events: [] })
  return { id, version: row === undefined ? 1 : row.version + 1, uid, oldUid, startsAt }
}

/** Returns the write that moves the cursor; its version refuses a process that has lost the mailbox to another one. */
export function cursorWrite({ id, version }: MailboxCursor, uid: number, now: string): Write {
  return { op: 'update', kind: 'mailCursors', id, expectVersion: version, set: { uid, updatedAt: now } }
}
