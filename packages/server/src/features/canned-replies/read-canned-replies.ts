import {
  type CannedReplyValues,
  fillVariables,
  type getCannedReply,
  type listCannedReplies,
  referenceFailure,
  type renderCannedReply,
} from '@crmkit/core'
import { escapeMarkdown } from '../../mail/out/markdown-html.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { pageReply } from '../../shared/reply-page.ts'
import { withoutVersion } from '../../storage/records.ts'
import type { Actor } from '../caller.ts'
import type { Handler } from '../handler.ts'
import { audiencesOf, getCannedReplyRow } from './find-canned-reply.ts'

export const handleListCannedReplies: Handler<typeof listCannedReplies> = async (
  { store, actor },
  { query },
) => {
  const page = await store.cannedReplies.list({ ...query, audience: audiencesOf(actor) })
  return { reply: pageReply(page, query) }
}

export const handleGetCannedReply: Handler<typeof getCannedReply> = async ({ store, actor }, { params }) => ({
  reply: { success: true, data: withoutVersion(await getCannedReplyRow(store, actor, params.id)) },
})

export const handleRenderCannedReply: Handler<typeof renderCannedReply> = async (
  { store, actor },
  { params, body: { conversationId } },
) => {
  const { content, contentType } = await getCannedReplyRow(store, actor, params.id)
  const values = await valuesOf(store, actor, conversationId)
  const escapeValue = contentType === 'markdown' ? escapeMarkdown : (value: string) => value
  const { text, missing } = fillVariables(content, values, escapeValue)
  return { reply: { success: true, data: { content: text, contentType, missing } } }
}

async function valuesOf(
  store: TenantReads,
  actor: Actor,
  conversationId: string,
): Promise<CannedReplyValues> {
  const conversation = await store.conversations.find(conversationId)
  if (conversation === undefined) throw referenceFailure('conversationId')
  const { _id, subject, customerId, inboxId } = conversation
  const [inbox, customer] = await Promise.all([
    store.inboxes.find(inboxId),
    customerId === null ? undefined : store.customers.find(customerId),
  ])
  const profile = customer?.profile
  const agent = actor.type === 'user' ? actor.user : undefined
  const contact = actor.permissions.includes('read:customers') ? profile : undefined
  return {
    'conversation._id': _id,
    'conversation.subject': subject,
    'inbox.name': inbox?.name ?? null,
    'agent.firstName': agent?.firstName ?? null,
    'agent.lastName': agent?.lastName ?? null,
    'agent.email': agent?.email ?? null,
    'customer.firstName': profile?.firstName ?? null,
    'customer.lastName': profile?.lastName ?? null,
    'customer.email': contact?.email ?? null,
    'customer.phone': contact?.phone ?? null,
    'customer.company': contact?.company ?? null,
  }
}
