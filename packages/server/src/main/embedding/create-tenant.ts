import { inviteLifeMs, registerBody, validationFailure } from '@crmkit/core'
import { systemAudit } from '../../commands/system-audit.ts'
import { foundTenant } from '../../features/auth/found-tenant.ts'
import { isoTime } from '../../shared/clock.ts'
import type { Service } from '../compose/service.ts'

/** A new tenant, as the app names it. */
export interface NewTenant {
  name: string
  owner: { email: string; firstName?: string | undefined; lastName?: string | undefined }
}

export interface CreatedTenant {
  tenantId: string
  ownerId: string
  /** With it the owner sets a password, once, within 72 hours (`POST /api/auth/accept-invite`). */
  inviteToken: string
}

/** Creates a tenant with its owner and its default inbox. Throws for an invalid name or e-mail. */
export async function createTenant(service: Service, { name, owner }: NewTenant): Promise<CreatedTenant> {
  const parsed = registerBody.omit({ password: true }).safeParse({ tenantName: name, ...owner })
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => {
      return { field: path.join('.'), message, rule: 'invalid', in: 'body' } as const
    })
    throw validationFailure(problems)
  }
  const now = isoTime(Date.now())
  const { tenantId, user, change } = foundTenant(
    { ids: service.ids, now },
    { ...parsed.data, identityId: undefined },
  )
  const { token, hash } = service.tokens.newInvite({ tenantId, userId: user._id })
  const invite = { tokenHash: hash, expiresAt: isoTime(Date.parse(now) + inviteLifeMs) }
  const { writes, events } = change({ ...user, invite })
  const target = { type: 'tenant', _id: tenantId }
  const audit = systemAudit(service, { tenantId, now, action: 'tenant.created', target })
  await service.storage.system.commit(tenantId, { writes: [...writes, audit], events })
  return { tenantId, ownerId: user._id, inviteToken: token }
}
