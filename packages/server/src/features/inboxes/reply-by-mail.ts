import {
  type Inbox,
  invalidState,
  noEmailSettings,
  type Problem,
  referenceFailure,
  type UpdateInboxBody,
  validationFailure,
} from '@crmkit/core'
import type { Change } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { readAll } from '../../shared/read-all.ts'
import { completeWidget } from '../../shared/widget-page.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'

export const mailingInboxField = 'widget.replyByMail.inboxId'

/**
 * Returns what the commit of an inbox needs, so that the inbox that mails for its widget is not deleted at the same moment.
 * Throws VALIDATION_ERROR for an unknown inbox, and for one that sends no mail.
 */
export async function replyByMailGuard(
  store: TenantReads,
  { body, inbox }: { body: Pick<UpdateInboxBody, 'widget'>; inbox: Inbox },
): Promise<Pick<Change, 'expectTenantVersion'>> {
  const { enabled, inboxId } = inbox.widget.replyByMail
  if (!body.widget?.replyByMail || (!enabled && inboxId === null)) return {}
  const expectTenantVersion = await store.version()
  const isItself = inboxId === inbox._id
  const mailing = isItself || inboxId === null ? inbox : await store.inboxes.find(inboxId)
  if (mailing === undefined) throw referenceFailure(mailingInboxField)
  const { transport } = mailing.email ?? noEmailSettings
  if (inboxId === null || (enabled && transport === 'none')) {
    const problem: Problem = {
      field: mailingInboxField,
      message: 'needs an inbox that sends e-mail',
      rule: 'transport',
      in: 'body',
    }
    throw validationFailure([problem])
  }
  return { expectTenantVersion }
}

/** Throws INVALID_STATE while another inbox mails the replies of its widget by this one. */
export async function assertMailsForNobody(store: TenantReads, id: string): Promise<void> {
  const inboxes = readAll<InboxRecord>((cursor) => store.inboxes.listRows({ page: 1, limit: 100, cursor }))
  for await (const inbox of inboxes) {
    if (inbox._id === id || completeWidget(inbox).replyByMail.inboxId !== id) continue
    throw invalidState(`The chat widget of the inbox ${inbox.name} mails replies by this one`, 'in_use', [
      'unused',
    ])
  }
}
