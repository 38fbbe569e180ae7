import type { Write } from '../../../ports/change.ts'
import type { TenantStore } from '../../../ports/storage.ts'
import { doorWrites, isNotedDoor } from '../../../shared/note-door.ts'
import { VersionConflict } from '../../../storage/errors.ts'
import { type InboxRecord, type MailboxVisit, settingsOfMailbox } from '../../../storage/kinds/inboxes.ts'

const conflictsMax = 5

export interface Failure {
  message: string
  isSignInRefused?: boolean
}

interface MailboxReport {
  inboxId: string
  /** Nothing is written when the settings have changed: the report is about the mailbox before. */
  visit: MailboxVisit
  at: string
  /** Null: the mailbox is open. Undefined: this says nothing about it. */
  failure: Failure | null | undefined
  /** Undefined: no mail has arrived. */
  mailAt: string | undefined
}

/** The inbox says how its mailbox does, and when somebody has to look again. */
export async function reportMailbox(store: TenantStore, report: MailboxReport): Promise<void> {
  const { inboxId, visit } = report
  for (let conflicts = 0; ; conflicts++) {
    const row = await store.inboxes.find(inboxId)
    const { email } = row ?? {}
    if (row === undefined || !email?.imap || settingsOfMailbox(row) !== visit.of) return
    const status = statusAfter(email.imap.status, report)
    const set = { email: { ...email, imap: { ...email.imap, status } }, mailboxVisit: visit }
    try {
      const write = { op: 'update', kind: 'inboxes', id: inboxId, expectVersion: row.version, set } as const
      const noted = await notedBy(store, report)
      return await store.commit({ writes: [write, ...noted], events: [] })
    } catch (error) {
      const isConflict = error instanceof VersionConflict || isNotedDoor(error)
      if (!isConflict || conflicts >= conflictsMax) throw error
    }
  }
}

/** The door of the mailbox works again, or is in trouble. */
function notedBy(store: TenantStore, { inboxId, at, failure }: MailboxReport): Promise<Write[]> | Write[] {
  if (failure === undefined) return []
  const trouble = failure && {
    reason: failure.message,
    isSignInRefused: failure.isSignInRefused ?? false,
  }
  return doorWrites(store, { door: 'mailbox', of: inboxId }, { trouble, now: at })
}

type Status = NonNullable<NonNullable<InboxRecord['email']>['imap']>['status']

/** A sign-in that ended stays so while its mailbox fails. */
function statusAfter(before: Status, { at, failure, mailAt }: MailboxReport): Status {
  const lastMailAt = mailAt ?? before.lastMailAt
  if (failure === undefined) return { ...before, lastMailAt }
  const error = failure?.message ?? null
  const reauthRequired = error !== null && before.reauthRequired === true
  return { ok: error === null, checkedAt: at, error, reauthRequired, lastMailAt }
}
