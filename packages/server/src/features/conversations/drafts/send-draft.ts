import { type Message, notFound, type sendDraft, shownMessage } from '@crmkit/core'
import type { TenantReads } from '../../../ports/storage.ts'
import type { Handler } from '../../handler.ts'
import { knownSeqOf } from '../create-message.ts'
import { draftSignal } from './draft-signal.ts'
import { assertDraftVersion } from './find-draft.ts'
import { sentDraft } from './sent-draft.ts'

export const handleSendDraft: Handler<typeof sendDraft> = async (ctx, { params, body, headers }) => {
  const { store, actor } = ctx
  const before = await store.conversations.find(params.id)
  if (before === undefined) throw notFound()
  const draft = await store.drafts.find(params.draftId)
  if (draft?.conversationId !== before._id) {
    const first = await findSent(store, { conversationId: before._id, draftId: params.draftId })
    if (first === undefined) throw notFound()
    return { status: 200, reply: { success: true, data: first } }
  }
  const knownSeq = knownSeqOf(headers, draft)
  const isSeqGuarded = knownSeq !== undefined
  const consent = body.basis
  const isForced = headers.Force === 'true'
  const sending = { draft, before, actor, consent, knownSeq, isForced, isSeqGuarded }
  const { change, message, ended } = await sentDraft(ctx, sending)
  assertDraftVersion(draft, body.expectedVersion, actor)
  const live = ended.map((one) => draftSignal('draft.deleted', one))
  return { change, reply: { success: true, data: message }, live }
}

/** Returns the message that a draft has become. A `clientMessageId` of a client names no draft. */
async function findSent(
  store: TenantReads,
  { conversationId, draftId }: { conversationId: string; draftId: string },
): Promise<Message | undefined> {
  if (!draftId.startsWith('drf_')) return undefined
  const message = await store.messages.findByClientMessageId(conversationId, draftId)
  return message && shownMessage(message)
}
