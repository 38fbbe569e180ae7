import { Failure, type refresh } from '@crmkit/core'
import { isSessionOfPassword, isSessionOfUser } from '../../security/session-of-password.ts'
import type { Session } from '../../storage/kinds/sessions.ts'
import type { Stored, TenantId } from '../../storage/records.ts'
import type { SystemContext, SystemHandler, SystemRefusal } from '../system-handler.ts'
import { sessionEnd, sessionReply } from './open-session.ts'

/** How long the previous token still gets the same child: for two browser tabs, or a response that was lost. */
const graceMs = 10_000

const refused = () => new Failure('AUTH_REQUIRED', 'The refresh token is not valid')

export const handleRefresh: SystemHandler<typeof refresh> = async (ctx, { body }) => {
  const { system, services, now, nowMs } = ctx
  const sessionId = services.tokens.sessionOf(body.refreshToken)
  const found = sessionId === undefined ? undefined : await system.findSession(sessionId)
  if (found === undefined) throw refused()
  const { tenantId, session } = found
  const child = services.tokens.childOf(body.refreshToken)
  const isCurrent = session.refreshHash === services.tokens.hashOf(body.refreshToken)
  const isRepeated = session.refreshHash === child.hash && nowMs - Date.parse(session.rotatedAt) <= graceMs
  if (!isCurrent && !isRepeated) return endedFamily(ctx, { tenantId, session })
  const owner = await ownerOf(ctx, { tenantId, session })
  const reply = sessionReply(ctx, { ...owner, session, refreshToken: child.token })
  if (!isCurrent) return { reply }
  const set = { refreshHash: child.hash, rotatedAt: now, expiresAt: sessionEnd(nowMs), updatedAt: now }
  return { tenantId, change: sessionUpdate(session, set), reply }
}

function sessionUpdate(session: Stored<Session>, set: Partial<Session>) {
  const write = {
    op: 'update' as const,
    kind: 'sessions' as const,
    id: session._id,
    expectVersion: session.version,
    set,
  }
  return { writes: [write], events: [] }
}

/** Throws when the session has ended or its user or tenant may no longer sign in. */
async function ownerOf({ system, forTenant, now }: SystemContext, { tenantId, session }: Found) {
  const [user, tenant, identity] = await Promise.all([
    forTenant(tenantId).users.find(session.userId),
    system.findTenant(tenantId),
    system.findIdentity(session.identityId),
  ])
  if (session.endedAt !== null || session.expiresAt <= now || !user?.isActive || !tenant || !identity)
    throw refused()
  if (!isSessionOfPassword(session, identity) || !isSessionOfUser(session, user)) throw refused()
  if (tenant.isSuspended) throw new Failure('TENANT_SUSPENDED', 'The tenant account is suspended')
  return { user, tenant }
}

interface Found {
  tenantId: TenantId
  session: Stored<Session>
}

/** Ends the session of a token that was used before: one of its two users has stolen it, so it ends for both. */
function endedFamily({ now }: SystemContext, { tenantId, session }: Found): SystemRefusal {
  if (session.endedAt !== null) throw refused()
  const change = sessionUpdate(session, { endedAt: now, updatedAt: now })
  return { tenantId, change, refusal: refused() }
}
