import { type Conversation, type Inbox, noEmailSettings } from '@crmkit/core'
import type { MailSettings } from '../../ports/mail-sender.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { completeWidget } from '../../shared/widget-page.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { TenantLimits } from '../../storage/kinds/tenants.ts'

export interface MailContext {
  store: TenantReads
  now: string
  /** Limits that the operator has set for the tenant. */
  tenantLimits: TenantLimits | undefined
  services: { secrets: SecretBox; mail: MailSettings }
}

export type SendingInbox = Pick<Inbox, '_id' | 'email'>

/** An inbox as its row has it: rows of earlier versions have no e-mail. */
export interface KnownInbox {
  _id: string
  email?: Inbox['email'] | undefined
}

/** Returns the inbox that sends the replies of a conversation by e-mail; undefined where none does. */
export async function findSendingInbox(
  store: TenantReads,
  {
    channel,
    inboxId,
    visitorDoor,
  }: Pick<Conversation, 'channel' | 'inboxId'> & Pick<ConversationRecord, 'visitorDoor'>,
  known?: KnownInbox,
): Promise<SendingInbox | undefined> {
  if (channel !== 'email') return visitorDoor === 'email' ? findMailInbox(store, inboxId) : undefined
  const inbox = known ?? (inboxId === null ? undefined : await store.inboxes.find(inboxId))
  const email = inbox?.email ?? noEmailSettings
  return inbox === undefined || email.transport === 'none' ? undefined : { _id: inbox._id, email }
}

/** Returns the inbox that mails to the visitors of a widget. */
async function findMailInbox(store: TenantReads, inboxId: string | null): Promise<SendingInbox | undefined> {
  const widgetInbox = inboxId === null ? undefined : await store.inboxes.find(inboxId)
  const mailInboxId = widgetInbox && completeWidget(widgetInbox).replyByMail.inboxId
  const inbox = mailInboxId ? await store.inboxes.find(mailInboxId) : undefined
  const email = inbox?.email ?? noEmailSettings
  return inbox === undefined || email.transport === 'none' ? undefined : { _id: inbox._id, email }
}
