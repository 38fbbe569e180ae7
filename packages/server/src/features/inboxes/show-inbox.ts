import { type Inbox, noEmailSettings } from '@crmkit/core'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'

/** Returns the inbox as its tenant sees it: without its secrets and without the end of an expired one. */
export function showInbox(
  { sealed: _sealed, mailSecrets: _secrets, email: stored, ...row }: InboxRecord,
  now: string,
): Inbox {
  const {
    inboundTokenHash: _token,
    previousInboundTokenHash: _previous,
    previousInboundTokenEndsAt: _ends,
    eventsToken: _events,
    ...inbox
  } = row
  // Absent in rows of earlier versions.
  const { previousIdentitySecretExpiresAt: endsAt = null } = inbox.widget
  const widget = {
    ...inbox.widget,
    previousIdentitySecretExpiresAt: endsAt !== null && endsAt > now ? endsAt : null,
  }
  return { ...inbox, widget, email: { ...noEmailSettings, ...stored } }
}
