import { hash } from 'node:crypto'
import type { Visitor } from '../../features/caller.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { Storage } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import { openIdentitySecrets, secretHashOf } from '../../shared/identity-secrets.ts'
import type { WidgetSession } from '../../storage/kinds/widget-sessions.ts'
import type { TenantId } from '../../storage/records.ts'
import { anonymousSessionMs } from '../../storage/rules/widget.ts'
import type { RequestLimits } from '../pipeline/rate-limit.ts'
import { CredentialCache } from './credential-cache.ts'
import { type Authenticated, authRequired, type CredentialKind } from './credential-kind.ts'

/** The meaning of a visitor's token, for as long as it is cached. */
interface KnownVisitor {
  tenantId: TenantId
  caller: Authenticated
  visitor: Visitor
  /** The identity secrets of the inbox, each with the moment at which it ends; null: none is set. */
  secrets: readonly { secretHash: string; validUntil: string | null }[]
}

interface Parts {
  storage: Storage
  clock: Clock
  limits: Pick<RequestLimits, 'ofVisitor'>
  secrets: SecretBox
}

/** An anonymous session is extended at most so often: each request would otherwise write. */
const extendEveryMs = 24 * 3600 * 1000
/** That a visitor is there is written at most so often. */
const seenEveryMs = 60_000

export function createVisitors(parts: Parts): CredentialKind {
  const { clock } = parts
  const visitors = new CredentialCache<KnownVisitor>(clock, (tokenHash) => loadVisitor(parts, tokenHash))
  const finish = (found: KnownVisitor | undefined) => callerOfVisitor(found, isoTime(clock.nowMs()))
  return {
    cache: visitors,
    forget: (tenantId) => visitors.forget(tenantId),
    read(text) {
      const tokenHash = hash('sha256', text)
      return {
        endsAtMs: undefined,
        caller() {
          const known = visitors.get(tokenHash)
          return known instanceof Promise ? known.then(finish) : finish(known)
        },
      }
    },
  }
}

async function loadVisitor(parts: Parts, tokenHash: string): Promise<KnownVisitor | undefined> {
  const { storage, limits, secrets } = parts
  const found = await storage.system.across.widgetTokens.find(tokenHash)
  if (found === undefined) return undefined
  const { tenantId } = found
  const store = storage.forTenant(tenantId)
  const [tenant, session, inbox] = await Promise.all([
    storage.system.findTenant(tenantId),
    // The look-up by the hash does not see whether an erasure hides the session.
    store.widgetSessions.find(found.row._id),
    store.inboxes.find(found.row.inboxId),
  ])
  if (tenant === undefined || session === undefined || inbox === undefined) return undefined
  await noteUse(parts, { tenantId, session })
  const { _id } = session
  const visitor: Visitor = {
    type: 'visitor',
    _id,
    session,
    inbox,
    isSuspended: tenant.isSuspended,
    permissions: [],
  }
  const caller = {
    tenantId,
    actor: visitor,
    tenantLimits: tenant.limits,
    limits: limits.ofVisitor(tenantId, _id),
  }
  const rotating = openIdentitySecrets(secrets, inbox)
  const { secret, previous } = rotating ?? {}
  return {
    tenantId,
    caller,
    visitor,
    secrets: [
      ...(secret === undefined ? [] : [{ secretHash: secretHashOf(secret), validUntil: null }]),
      ...(previous ? [{ secretHash: secretHashOf(previous.secret), validUntil: previous.validUntil }] : []),
    ],
  }
}

/**
 * Notes that the visitor is there, and moves the end of an anonymous session. A stream comes here too, as often as it checks its
 * credential. The patch conflicts with no other write.
 */
async function noteUse(
  { storage, clock }: Parts,
  { tenantId, session }: { tenantId: TenantId; session: WidgetSession },
): Promise<void> {
  const max = notedUse(session, clock.nowMs())
  if (Object.keys(max).length === 0) return
  const patch = { op: 'patch', kind: 'widgetSessions', id: session._id, max } as const
  // A full disk or a session that ends at this moment must not refuse the request: a later one notes it.
  await storage
    .forTenant(tenantId)
    .commit({ writes: [patch], events: [] })
    .catch(() => {})
}

function notedUse(
  { personId, expiresAt, lastSeenAt }: WidgetSession,
  nowMs: number,
): { lastSeenAt?: string; expiresAt?: string } {
  if (expiresAt <= isoTime(nowMs)) return {}
  const endsAtMs = nowMs + anonymousSessionMs
  const isExtended = personId === null && endsAtMs - Date.parse(expiresAt) >= extendEveryMs
  const isSeenAnew = !lastSeenAt || nowMs - Date.parse(lastSeenAt) >= seenEveryMs
  return {
    ...(isSeenAnew && { lastSeenAt: isoTime(nowMs) }),
    ...(isExtended && { expiresAt: isoTime(endsAtMs) }),
  }
}

/** Returns the visitor. Throws AUTH_REQUIRED for a session that has ended, with one response for every reason. */
function callerOfVisitor(known: KnownVisitor | undefined, now: string): Authenticated {
  if (known === undefined || !isOpen(known, now)) {
    throw authRequired('The session of the visitor has ended')
  }
  return known.caller
}

function isOpen({ visitor: { session, inbox }, secrets }: KnownVisitor, now: string): boolean {
  if (session.expiresAt <= now) return false
  if (session.personId === null) return !inbox.widget.identityRequired
  return secrets.some(
    ({ secretHash, validUntil }) =>
      secretHash === session.secretHash && (validUntil === null || validUntil > now),
  )
}
