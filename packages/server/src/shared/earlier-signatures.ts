import type { InboxEmail } from '@crmkit/core'
import type { InboxRecord } from '../storage/kinds/inboxes.ts'

type StoredEmail = NonNullable<InboxRecord['email']>

const keptMax = 5
/** A mail that its server refuses for now is tried for as long. */
const waitMax = 48 * 3_600_000

/** Returns settings that still know the signature that they had before, for the quotations of mails that carry it. */
export function withEarlierSignature(
  email: InboxEmail,
  { before, now }: { before: StoredEmail; now: string },
): StoredEmail {
  const { signature, earlierSignatures = [] } = before
  if (signature === null || signature === email.signature) return { ...email, earlierSignatures }
  return {
    ...email,
    earlierSignatures: [...earlierSignatures, { signature, endedAt: now }].slice(-keptMax),
  }
}

/** Returns the signature of the time at which a message was written, and the next one where its mail may have waited for that. */
export function signaturesAt(email: InboxRecord['email'], time: string): (string | null)[] {
  const { signature = null, earlierSignatures = [] } = email ?? {}
  const [then, next] = earlierSignatures.filter(({ endedAt }) => endedAt > time)
  if (then === undefined) return [signature]
  const isLongBefore = Date.parse(then.endedAt) - Date.parse(time) > waitMax
  return isLongBefore ? [then.signature] : [then.signature, next?.signature ?? signature]
}
