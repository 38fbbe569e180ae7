import type { TenantStore } from '../../../ports/storage.ts'
import { VersionConflict } from '../../../storage/errors.ts'
import { settingsOfMailbox } from '../../addresses/mailbox-of-inbox.ts'

const conflictsMax = 5

interface MailboxReport {
  inboxId: string
  /** Nothing is written when the settings have changed: the report is about the mailbox before. */
  settings: string
  at: string
  /** Null: the mailbox is open. */
  error: string | null
  /** Undefined: no mail has arrived. */
  mailAt: string | undefined
}

/** The inbox says how its mailbox does. */
export async function reportMailbox(store: TenantStore, report: MailboxReport): Promise<void> {
  const { inboxId, settings, at, error, mailAt } = report
  for (let conflicts = 0; ; conflicts++) {
    const row = await store.inboxes.find(inboxId)
    const { email } = row ?? {}
    if (row === undefined || !email?.imap || settingsOfMailbox(row) !== settings) return
    const lastMailAt = mailAt ?? email.imap.status.lastMailAt
    const status = { ok: error === null, checkedAt: at, error, lastMailAt }
    const set = { email: { ...email, imap: { ...email.imap, status } } }
    try {
      const write = { op: 'update', kind: 'inboxes', id: inboxId, expectVersion: row.version, set } as const
      return await store.commit({ writes: [write], events: [] })
    } catch (failure) {
      if (!(failure instanceof VersionConflict) || conflicts >= conflictsMax) throw failure
    }
  }
}
