import { activeSending, completeEmail, type Inbox } from '@crmkit/core'
import { autoAssignOf } from '../../shared/auto-assign.ts'
import { mailSettingsOf } from '../../shared/widget-mail-settings.ts'
import { shownPage } from '../../shared/widget-page.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import type { HandlerContext } from '../handler.ts'

/** Returns the inbox as its tenant sees it: without its secrets and without the end of an expired one. */
export async function showInbox(
  { services, now }: Pick<HandlerContext, 'services' | 'now'>,
  { sealed: _sealed, mailSecrets: _secrets, email: stored, ...row }: InboxRecord,
): Promise<Inbox> {
  const {
    inboundTokenHash: _token,
    previousInboundTokenHash: _previous,
    previousInboundTokenEndsAt: _ends,
    eventsToken: _events,
    widgetSeen,
    ...inbox
  } = row
  // Absent in rows of earlier versions.
  const { previousIdentitySecretExpiresAt: endsAt = null } = inbox.widget
  const widget = {
    ...inbox.widget,
    ...mailSettingsOf(inbox),
    previousIdentitySecretExpiresAt: endsAt !== null && endsAt > now ? endsAt : null,
    lastSeen: shownPage(widgetSeen),
  }
  const { earlierSignatures: _earlier, ...own } = stored ?? {}
  const email = completeEmail(own)
  const { address, domainProvenAt } = email
  const addressProvenElsewhere =
    address !== null &&
    domainProvenAt === null &&
    (await services.provenAddresses.isProvenElsewhere({ address, inboxId: inbox._id }))
  return {
    ...inbox,
    autoAssign: autoAssignOf(inbox),
    sending: inbox.sending ?? activeSending,
    widget,
    email: { ...email, addressProvenElsewhere },
  }
}
