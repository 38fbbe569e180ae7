import { Failure, invalidState, type mailWidgetTranscript, noEmailSettings } from '@crmkit/core'
import { suppressedAmong } from '../../mail/addresses/suppressed-among.ts'
import { recipientWrites } from '../../mail/out/outbound-budget.ts'
import { newChatMails } from '../../mail/out/plan-chat-mail.ts'
import { addressMark } from '../../mail/out/stop-link.ts'
import { systemMailWrite } from '../../mail/out/system-mail.ts'
import type { Write } from '../../ports/change.ts'
import { visitorAddressOf } from '../../shared/visitor-address.ts'
import { completeWidget } from '../../shared/widget-page.ts'
import type { ChatMails } from '../../storage/kinds/chat-mails.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { Stored } from '../../storage/records.ts'
import type { Visitor } from '../caller.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { addressCaps, allowedAtMs, conversationCaps, withMoment } from './chat-mail-rules.ts'
import { showConversation } from './show-to-visitor.ts'
import { addressWrite, hasRepliedFrom } from './visitor-mail.ts'
import { assertNotBlocked, getConversation, getSession } from './visitor-rows.ts'

type Context = HandlerContext<Visitor>

const messagesMax = 100

/** Mails a conversation to the address of its visitor. The request names none, so nobody mails to somebody else by it. */
export const handleMailWidgetTranscript: Handler<typeof mailWidgetTranscript> = async (ctx, { params }) => {
  const { store, actor, now, ids, tenantId, tenantLimits, services } = ctx
  const conversation = await getConversation(store, actor, params.id)
  const session = await getSession(store, actor)
  const customer = session.customerId === null ? undefined : await store.customers.find(session.customerId)
  const address = visitorAddressOf(session, customer)
  if (address === null) throw invalidState('This visitor has given no e-mail address', 'no_email', ['email'])
  await assertNotBlocked(store, session, conversation)
  if ((await suppressedAmong(store, [address])).size > 0)
    throw invalidState('This address takes no mail', 'suppressed', ['email'])
  const sender = await senderOf(ctx)
  const [row, sentTo, newest] = await Promise.all([
    store.chatMails.find(conversation._id),
    store.chatMailAddresses.find(addressMark(address)),
    store.messages.listRows({
      conversationId: conversation._id,
      sort: '-createdAt',
      page: 1,
      limit: messagesMax,
    }),
  ])
  assertWithin(Date.parse(now), row?.transcribedAt ?? [], sentTo?.transcribedAt ?? [])
  const isConfirmed = session.personId !== null || hasRepliedFrom(newest.rows, address)
  const counted = await recipientWrites({ store, now, tenantLimits }, { ...sender, count: 1 })
  const mail = systemMailWrite(services.secrets, {
    _id: ids.next('sml'),
    tenantId,
    now,
    conversationId: conversation._id,
    inboxId: sender.inboxId,
    mail: { purpose: 'transcript', to: address, until: now, isConfirmed },
  })
  const writes: Write[] = [
    mail,
    countWrite(conversation, row, now),
    addressWrite({ tenantId, address, now }, sentTo, 'transcribedAt'),
    ...counted,
  ]
  const data = await showConversation(store, conversation)
  return { change: { writes, events: [] }, reply: { success: true, data } }
}

/** Returns what sends the mail. Throws INVALID_STATE where nothing does. */
async function senderOf({
  store,
  actor,
  services,
}: Context): Promise<{ transport: 'relay' | 'smtp'; inboxId: string }> {
  const { inboxId } = completeWidget(actor.inbox).replyByMail
  const inbox = inboxId === null ? undefined : await store.inboxes.find(inboxId)
  const { transport } = inbox?.email ?? noEmailSettings
  const hasRelay = services.mail.relay !== undefined
  if (inbox && (transport === 'smtp' || (transport === 'relay' && hasRelay)))
    return { transport, inboxId: inbox._id }
  if (hasRelay) return { transport: 'relay', inboxId: '' }
  throw invalidState('This chat sends no mail', 'no_transport', ['transport'])
}

/** Throws RATE_LIMIT_EXCEEDED beyond the caps. They hold for strangers' addresses, so no setting switches them off. */
function assertWithin(nowMs: number, ofConversation: readonly string[], ofAddress: readonly string[]): void {
  const atMs = Math.max(
    allowedAtMs(ofConversation, conversationCaps.transcribedAt, nowMs),
    allowedAtMs(ofAddress, addressCaps.transcribedAt, nowMs),
  )
  if (atMs <= nowMs) return
  const seconds = Math.ceil((atMs - nowMs) / 1000)
  throw new Failure('RATE_LIMIT_EXCEEDED', `The next transcript can be mailed in ${seconds} s`, {
    headers: { 'Retry-After': `${seconds}` },
  })
}

function countWrite(
  conversation: ConversationRecord,
  row: Stored<ChatMails> | undefined,
  now: string,
): Write {
  const transcribedAt = withMoment(row?.transcribedAt ?? [], now)
  if (row === undefined)
    return {
      op: 'insert',
      kind: 'chatMails',
      row: { ...newChatMails(conversation, { dueAt: null, now }), transcribedAt },
    }
  const { _id: id, version: expectVersion } = row
  return { op: 'update', kind: 'chatMails', id, expectVersion, set: { transcribedAt, updatedAt: now } }
}
