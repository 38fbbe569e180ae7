import {
  type Conversation,
  type InputOf,
  invalidState,
  type makeConversationOfMail,
  newConversation,
  notFound,
  referenceProblem,
  validationFailure,
} from '@crmkit/core'
import type { Change } from '../../ports/change.ts'
import { createdLog } from '../../shared/conversation-log.ts'
import { findMail } from '../../shared/erased-address.ts'
import { findDefaultInbox } from '../../shared/find-default-inbox.ts'
import { mergeTargetOf } from '../../shared/merged-conversation.ts'
import type { InboundMailRecord } from '../../storage/kinds/inbound-mails.ts'
import { type Stored, withoutVersion } from '../../storage/records.ts'
import { authorOf } from '../conversations/author.ts'
import { chooseAssignee } from '../conversations/choose-assignee.ts'
import { assertReferences, customerGuard, findCustomerOf } from '../conversations/conversation-references.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { assertBytes } from './assert-bytes.ts'

type Body = InputOf<typeof makeConversationOfMail>['body']
type Mail = Stored<InboundMailRecord>

/** The conversation is there at once. The mail is read in the background, as every mail, and becomes its message. */
export const handleMakeConversationOfMail: Handler<typeof makeConversationOfMail> = async (
  ctx,
  { params: { id }, body },
) => {
  const { store, now } = ctx
  const mail = await findMail(store, id)
  if (mail === undefined) throw notFound()
  const begun = await conversationOf(ctx, mail)
  if (begun !== undefined && mail.status !== 'parked') return { status: 200, reply: shown(begun) }
  await assertAllowed(ctx, { mail, body })
  const target =
    begun ?? (await mergeTargetOf(store, await store.conversations.find(body.conversationId ?? '')))
  const { conversation, ...made } =
    target === undefined
      ? await beginConversation(ctx, { mail, body })
      : { conversation: withoutVersion(target), writes: [], events: [] }
  const { address, name = null } = body.sender ?? {}
  const set: Partial<InboundMailRecord> = {
    status: 'received',
    reason: null,
    error: null,
    processedAt: null,
    dueAt: now,
    tries: 0,
    conversationId: conversation._id,
    made: begun
      ? (mail.made ?? null)
      : { isNew: target === undefined, isSenderGiven: address !== undefined, senderName: name },
    ...(address !== undefined && { from: address }),
    updatedAt: now,
  }
  return {
    ...(begun !== undefined && { status: 200 }),
    change: {
      // While an erasure runs, MongoDB refuses a row whose conversation is not there yet.
      writes: [...made.writes, { op: 'update', kind: 'inboundMails', id, expectVersion: mail.version, set }],
      events: made.events,
    },
    audit: { action: 'mail.conversationMade', target: { type: 'mail', _id: id } },
    reply: shown(conversation),
  }
}

const shown = (conversation: Conversation) => ({
  success: true as const,
  data: { ...conversation, unread: { count: 0, firstMessageId: null } },
})

/** Returns the conversation that was made of the mail before. */
async function conversationOf(
  { store }: HandlerContext,
  { made, conversationId }: Mail,
): Promise<Stored<Conversation> | undefined> {
  return made && conversationId !== null
    ? mergeTargetOf(store, await store.conversations.find(conversationId))
    : undefined
}

async function assertAllowed({ store }: HandlerContext, { mail, body }: { mail: Mail; body: Body }) {
  const isLeftOut = mail.status === 'ignored' && (mail.reason === 'duplicate' || mail.reason === 'loop')
  if (mail.status !== 'parked' && !isLeftOut) {
    const message = 'Only a mail that is parked, a duplicate or a loop can become a conversation'
    throw invalidState(message, mail.status, ['parked'])
  }
  await assertBytes(store, mail)
  const { conversationId, customerId, sender } = body
  const isKnown = conversationId === undefined || (await store.conversations.find(conversationId))
  await assertReferences(store, { customerId }, isKnown ? [] : [referenceProblem('conversationId')])
  if (conversationId !== undefined && customerId !== undefined) {
    const message = 'cannot be combined with conversationId, which has its customer'
    throw validationFailure([{ field: 'customerId', in: 'body', rule: 'place', message }])
  }
  if (mail.from !== null || sender !== undefined) return
  const message = 'is required, because the mail names no sender'
  throw validationFailure([{ field: 'sender', in: 'body', rule: 'required', message }])
}

/** The conversation gets its customer when the mail is read: until then its author is not known. */
async function beginConversation(
  { store, ids, now, tenantId, actor, services: { roundRobin } }: HandlerContext,
  { mail, body: { customerId } }: { mail: Mail; body: Body },
): Promise<Change & { conversation: Conversation }> {
  // The inbox of the mail may have been deleted; the default one cannot be.
  const inbox = (await store.inboxes.find(mail.inboxId)) ?? (await findDefaultInbox(store))
  if (inbox === undefined) throw invalidState('The tenant has no inbox', 'inbox_deleted', ['in an inbox'])
  const customer = await findCustomerOf(store, customerId ?? null)
  const given = {
    subject: mail.subject?.slice(0, 300).trim() || '(no subject)',
    inboxId: inbox._id,
    customerId,
    assignedTo: await chooseAssignee({ store, roundRobin, now }, inbox),
  }
  const conversation: Conversation = {
    ...newConversation(given, { id: ids.next('con'), tenantId, now }),
    source: 'email',
  }
  const log = createdLog({ ids, now }, { conversation, customer, by: authorOf(actor) })
  return {
    conversation,
    writes: [
      { op: 'insert', kind: 'conversations', row: conversation },
      ...log.writes,
      ...customerGuard(customerId),
    ],
    events: log.events,
  }
}
