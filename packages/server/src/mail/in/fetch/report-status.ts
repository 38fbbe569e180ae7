import type { TenantStore } from '../../../ports/storage.ts'
import { doorWrites, isNotedDoor } from '../../../shared/note-door.ts'
import { VersionConflict } from '../../../storage/errors.ts'
import type { InboxRecord } from '../../../storage/kinds/inboxes.ts'
import { settingsOfMailbox } from '../../addresses/mailbox-of-inbox.ts'

const conflictsMax = 5

interface MailboxReport {
  inboxId: string
  /** Nothing is written when the settings have changed: the report is about the mailbox before. */
  settings: string
  at: string
  /** Null: the mailbox is open. */
  error: string | null
  isSignInRefused: boolean
  /** Undefined: no mail has arrived. */
  mailAt: string | undefined
}

/** The inbox says how its mailbox does. */
export async function reportMailbox(store: TenantStore, report: MailboxReport): Promise<void> {
  const { inboxId, settings, at, error, isSignInRefused } = report
  for (let conflicts = 0; ; conflicts++) {
    const row = await store.inboxes.find(inboxId)
    const { email } = row ?? {}
    if (row === undefined || !email?.imap || settingsOfMailbox(row) !== settings) return
    const status = statusAfter(email.imap.status, report)
    const set = { email: { ...email, imap: { ...email.imap, status } } }
    try {
      const write = { op: 'update', kind: 'inboxes', id: inboxId, expectVersion: row.version, set } as const
      const trouble = error === null ? null : { reason: error, isSignInRefused }
      const noted = await doorWrites(store, { door: 'mailbox', of: inboxId }, { trouble, now: at })
      return await store.commit({ writes: [write, ...noted], events: [] })
    } catch (failure) {
      const isConflict = failure instanceof VersionConflict || isNotedDoor(failure)
      if (!isConflict || conflicts >= conflictsMax) throw failure
    }
  }
}

type Status = NonNullable<NonNullable<InboxRecord['email']>['imap']>['status']

/** A sign-in that ended stays so while its mailbox fails. */
function statusAfter(before: Status, { at, error, mailAt }: MailboxReport): Status {
  const reauthRequired = error !== null && before.reauthRequired === true
  return {
    ok: error === null,
    checkedAt: at,
    error,
    reauthRequired,
    lastMailAt: mailAt ?? before.lastMailAt,
  }
}
