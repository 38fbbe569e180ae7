import { type createCall, newCall, referenceProblem, validationFailure } from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import { userOf } from '../caller.ts'
import type { Handler } from '../handler.ts'
import { insertCall } from './call-changes.ts'

export const handleCreateCall: Handler<typeof createCall> = async (ctx, { body }) => {
  const { store, ids, now, tenantId } = ctx
  await assertReferences(store, body)
  const call = newCall(
    {
      direction: body.direction ?? 'outbound',
      to: body.to,
      from: body.from ?? null,
      agentId: body.agentId === undefined ? userOf(ctx)._id : body.agentId,
      customerId: body.customerId ?? null,
      conversationId: body.conversationId ?? null,
    },
    { id: ids.next('cal'), tenantId, now },
  )
  const { change, call: data } = await insertCall(call, { store, ids, now })
  return { change, reply: { success: true, data } }
}

interface References {
  customerId?: string | null | undefined
  conversationId?: string | null | undefined
  agentId?: string | null | undefined
}

/** Throws VALIDATION_ERROR with a problem for each id that names no row of this tenant, and a user who is not active. */
async function assertReferences(store: TenantReads, body: References): Promise<void> {
  const { customerId, conversationId, agentId } = body
  const [customer, conversation, agent] = await Promise.all([
    customerId ? store.customers.find(customerId) : undefined,
    conversationId ? store.conversations.find(conversationId) : undefined,
    agentId ? store.users.find(agentId) : undefined,
  ])
  const missing: string[] = []
  if (customerId && customer === undefined) missing.push('customerId')
  if (conversationId && conversation === undefined) missing.push('conversationId')
  if (agentId && !agent?.isActive) missing.push('agentId')
  if (missing.length > 0) throw validationFailure(missing.map((field) => referenceProblem(field)))
}
