import { type InboundMail, mailRawDays } from '@crmkit/core'
import type { InboundMailRecord } from '../../storage/kinds/inbound-mails.ts'

const rawKeptMs = mailRawDays * 24 * 3600 * 1000

/** Returns the mail as its tenant sees it. */
export function showMail(row: InboundMailRecord, now: string): InboundMail {
  const {
    attachmentId: _attachment,
    dedupKey: _key,
    bodyHash: _hash,
    made: _made,
    references: _references,
    dueAt: _due,
    tries: _tries,
    duplicateOf = null,
    ...mail
  } = row
  // A job deletes the bytes by the age of their own row.
  const endsAt = new Date(Date.parse(mail.receivedAt) + rawKeptMs).toISOString()
  return { ...mail, duplicateOf, rawDeletedAt: mail.rawDeletedAt ?? (endsAt <= now ? endsAt : null) }
}
