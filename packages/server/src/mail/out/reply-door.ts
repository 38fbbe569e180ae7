import type { Conversation, ReplyDoor } from '@crmkit/core'
import type { Change } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'

interface DoorBesideMail {
  door: Exclude<ReplyDoor, 'email'>
  /** Goes into the commit of the message; empty where no webhook was asked. */
  expects: Pick<Change, 'expectHeard'>
}

/** Returns what takes a reply that leaves as no e-mail: for whoever asks before it is written, and for its commit. */
export async function doorBesideMail(
  store: Pick<TenantReads, 'webhooks'>,
  { visitorId }: Conversation & Pick<ConversationRecord, 'visitorId'>,
): Promise<DoorBesideMail> {
  if ((visitorId ?? null) !== null) return { door: 'chat', expects: {} }
  const type = 'message.sent'
  const isHeard = await store.webhooks.hears(type)
  return { door: isHeard ? 'webhook' : 'none', expects: { expectHeard: { type, isHeard } } }
}
