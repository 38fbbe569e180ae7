import { type Conversation, type Inbox, noEmailSettings } from '@crmkit/core'
import type { MailSettings } from '../../ports/mail-sender.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { TenantReads } from '../../ports/storage.ts'
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
  { channel, inboxId }: Pick<Conversation, 'channel' | 'inboxId'>,
  known?: KnownInbox,
): Promise<SendingInbox | undefined> {
  if (channel !== 'email') return undefined
  const inbox = known ?? (inboxId === null ? undefined : await store.inboxes.find(inboxId))
  const email = inbox?.email ?? noEmailSettings
  return inbox === undefined || email.transport === 'none' ? undefined : { _id: inbox._id, email }
}
