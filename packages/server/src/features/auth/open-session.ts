import { accessTokenSeconds, type Tenant } from '@crmkit/core'
import { userOfRecord } from '../../shared/user-of-record.ts'
import type { Identity } from '../../storage/kinds/identities.ts'
import type { Session } from '../../storage/kinds/sessions.ts'
import type { UserRecord } from '../../storage/kinds/users.ts'
import type { TenantId } from '../../storage/records.ts'
import type { SystemContext } from '../system-handler.ts'

/** How long a session lives without being refreshed. */
const sessionLifeMs = 30 * 24 * 3600 * 1000

type Ctx = Pick<SystemContext, 'ids' | 'now' | 'nowMs' | 'services'>

/** Returns the row of a new session and its refresh token, which is stored nowhere. */
export function newSession(
  { ids, now, nowMs, services }: Ctx,
  { user, identity }: { user: UserRecord; identity: Identity },
): { session: Session; refreshToken: string } {
  const id = ids.next('ses')
  const { token, hash } = services.tokens.newRefreshToken(id)
  const session: Session = {
    _id: id,
    tenantId: user.tenantId,
    userId: user._id,
    identityId: user.identityId,
    passwordGeneration: identity.passwordGeneration,
    userGeneration: user.sessionGeneration ?? 0,
    refreshHash: hash,
    rotatedAt: now,
    endedAt: null,
    expiresAt: sessionEnd(nowMs),
    createdAt: now,
    updatedAt: now,
  }
  return { session, refreshToken: token }
}

export function sessionEnd(nowMs: number): string {
  return new Date(nowMs + sessionLifeMs).toISOString()
}

interface SessionParts {
  user: UserRecord
  tenant: Pick<Tenant, '_id' | 'name'>
  session: Session
  refreshToken: string
}

/** Returns the response body of login, registration and refresh. */
export function sessionReply(
  { now, nowMs, services }: Ctx,
  { user, tenant, session, refreshToken }: SessionParts,
) {
  const { _id: userId, tenantId, role } = user
  const accessToken = services.tokens.accessToken({ userId, tenantId, sessionId: session._id, role, nowMs })
  const data = {
    accessToken,
    refreshToken,
    tokenType: 'Bearer',
    expiresIn: accessTokenSeconds,
    user: userOfRecord(user, { now, viewerId: userId }),
    tenant,
  } as const
  return { success: true as const, data }
}

/**
 * Returns the id of a tenant that is being registered. No other function makes a `TenantId` without proof of access.
 */
export function newTenantId({ ids }: Pick<SystemContext, 'ids'>): TenantId {
  return ids.next('ten') as TenantId
}
