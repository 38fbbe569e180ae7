import {
  type createCapabilityToken,
  Failure,
  isRoleAtLeast,
  referenceProblem,
  validationFailure,
} from '@crmkit/core'
import { userOf } from '../caller.ts'
import type { Handler } from '../handler.ts'
import { clientNameOf } from './client-name.ts'

export const handleCreateCapabilityToken: Handler<typeof createCapabilityToken> = async (ctx, { body }) => {
  const { store, tenantId, services, now } = ctx
  const caller = userOf(ctx)
  const agentId = body.agentId ?? caller._id
  const agent = await store.users.find(agentId)
  if (!agent?.isActive) throw validationFailure([referenceProblem('agentId')])
  if (agentId !== caller._id && !isRoleAtLeast(caller.role, 'admin')) throw onlyAdmins(caller.role)
  const provider = services.telephony
  if (provider === undefined) {
    throw new Failure('SERVICE_UNAVAILABLE', 'No telephony provider is set up on this server', {
      headers: { 'Retry-After': '3600' },
    })
  }
  const clientName = clientNameOf({ tenantId, userId: agentId })
  const { customerPhone } = body
  const grant = { clientName, tenantId, agentId, customerPhone, nowMs: Date.parse(now) }
  const data = { capabilityToken: provider.capabilityToken(grant), clientName, provider: provider.name }
  return { reply: { success: true, data } }
}

function onlyAdmins(granted: string): Failure {
  return new Failure('PERMISSION_DENIED', 'Only admins create tokens for somebody else', {
    extra: { required: 'admin', granted },
  })
}
