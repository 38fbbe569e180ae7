import type { Socket } from 'node:net'
import { rolePermissions } from '@crmkit/core'
import type { Actor } from '../../features/caller.ts'
import type { Storage } from '../../ports/storage.ts'
import { type Authenticated, authRequired, suspended } from './credential-kind.ts'

/** A user in whose name the app that embeds the service sends requests. */
export interface InProcessCaller {
  tenantId: string
  /** Undefined: the first active owner of the tenant. */
  userId: string | undefined
}

/**
 * Marks the connections that the app has made inside this process. Nothing of a request decides it, so that no request
 * from outside can claim to be one.
 */
export const inside = Symbol('in-process caller')

export type Connection = Socket & { [inside]?: InProcessCaller }

/** Declares that all requests of this connection come from the app itself. */
export function trustConnection(connection: object, caller: InProcessCaller): void {
  Object.assign(connection, { [inside]: caller })
}

/** The app itself calls: it vouches for the user, who may not have accepted an invitation yet. No rate limit applies. */
export async function authenticateInside(
  { storage }: { storage: Storage },
  { tenantId: id, userId }: InProcessCaller,
): Promise<Authenticated> {
  const tenant = await storage.system.findTenant(id)
  if (tenant === undefined) throw authRequired('The tenant of the client does not exist')
  if (tenant.isSuspended) throw suspended()
  const { tenantId, limits } = tenant
  const { users } = storage.forTenant(tenantId)
  const user = await (userId === undefined
    ? users.findOther({ role: 'owner', except: '' })
    : users.find(userId))
  if (user === undefined) {
    throw authRequired(
      userId === undefined
        ? 'The tenant has no active owner: name the actor of the client'
        : 'The actor of the client is not a user of its tenant',
    )
  }
  const { _id, role } = user
  const sessionId = `in-process ${_id}`
  const actor: Actor = { type: 'user', _id, user, sessionId, role, permissions: rolePermissions[role] }
  return { tenantId, actor, tenantLimits: limits, limits: [] }
}
