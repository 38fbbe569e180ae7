import type { AnyOperation, IdFactory, InputOf } from '@crmkit/core'
import type { Actor } from '../../features/caller.ts'
import type { Handler, HandlerContext, Outcome } from '../../features/handler.ts'
import {
  type SystemHandlers,
  systemHandlers,
  type TenantHandlers,
  tenantHandlers,
} from '../../features/handlers.ts'
import type {
  SystemContext,
  SystemOutcome,
  SystemRefusal,
  SystemServices,
  WidgetRequest,
} from '../../features/system-handler.ts'
import type { LiveHub } from '../../live/live-hub.ts'
import type { Change, Write } from '../../ports/change.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Storage } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import type { Kind } from '../../storage/kinds/registry.ts'
import type { TenantId } from '../../storage/records.ts'
import type { Authenticated } from '../credentials/authenticate.ts'
import type { TenantQuotas } from '../quotas/tenant-quotas.ts'
import { parseReply } from '../response/parse-reply.ts'
import type { Reply } from '../response/send-reply.ts'
import type { PasswordResetMailer } from '../usage/mail-password-resets.ts'
import type { IdentityAuditRecorder } from '../usage/record-identity-audit.ts'
import { assertAudited, auditWrite } from './audit-write.ts'
import {
  type IdempotentRequest,
  idempotencyWrites,
  idempotentRequest,
  type RunningRequests,
  replayOf,
} from './idempotency.ts'
import type { ConflictRetries } from './retry-conflicts.ts'

export interface RunParts {
  storage: Storage
  clock: Clock
  ids: IdFactory
  services: SystemServices
  running: RunningRequests
  conflictRetries: ConflictRetries
  quotas: Pick<TenantQuotas, 'admit'>
  identityAudit: Pick<IdentityAuditRecorder, 'note'>
  passwordResets: Pick<PasswordResetMailer, 'note'>
  live: Pick<LiveHub, 'publish' | 'setPresence'>
}

export interface ParsedRequest {
  operation: AnyOperation
  /** Undefined on public operations. */
  caller: Authenticated | undefined
  address: string
  input: InputOf<AnyOperation>
  path: string
  mountPath: string
  serviceUrl: string
  requestId: string
  idempotencyKey: string | string[] | undefined
  /** Defined for the public operations of the chat widget. */
  widget?: WidgetRequest | undefined
  /** The part in which a repeated request must be equal; its body unless given. */
  fingerprint?: unknown
}

/**
 * Runs one operation: the handler reads and decides, this commits once, with everything that must not
 * happen twice. A conflict runs the handler again on fresh rows.
 */
export async function runHandler(parts: RunParts, request: ParsedRequest): Promise<Reply> {
  const { operation, caller } = request
  const { conflictRetries } = parts
  // One queue for each resource of a tenant; callers of a public operation must not wait for each other.
  const tenant = caller?.tenantId ?? request.requestId
  const queues = { resource: `${tenant} ${request.path}`, tenant }
  const { input, path, idempotencyKey: header, fingerprint: body = input.body } = request
  const idempotent = caller && idempotentRequest({ operation, header, ...caller, path, body })
  const attempt = attemptOf(parts, request, idempotent)
  if (operation.method === 'GET' && !isSystemOperation(operation)) return attempt()
  const work = () => conflictRetries.run(queues, attempt)
  if (idempotent === undefined) return work()
  const end = parts.running.begin(idempotent)
  try {
    return await work()
  } finally {
    end()
  }
}

/** Returns one run of the handler, which a conflict repeats. */
function attemptOf(
  parts: RunParts,
  request: ParsedRequest,
  idempotent: IdempotentRequest | undefined,
): () => Promise<Reply> {
  const { operation, caller } = request
  if (isSystemOperation(operation)) return () => runSystemHandler(parts, { ...request, idempotent })
  if (caller === undefined) throw new Error(`${operation.id} has no caller`)
  return () => runTenantHandler(parts, { ...request, caller, idempotent })
}

function isSystemOperation(
  operation: AnyOperation,
): operation is AnyOperation & { id: keyof SystemHandlers } {
  return operation.id in systemHandlers
}

interface TenantRun extends ParsedRequest {
  caller: Authenticated
  idempotent: IdempotentRequest | undefined
}

async function runTenantHandler(parts: RunParts, run: TenantRun): Promise<Reply> {
  const { storage, clock, ids, services } = parts
  const { operation, caller, requestId, mountPath, serviceUrl, idempotent } = run
  const store = storage.forTenant(caller.tenantId)
  const handler = tenantHandlers[operation.id as keyof TenantHandlers] as Handler<AnyOperation>
  const now = isoTime(clock.nowMs())
  if (idempotent) {
    const replay = replayOf(await store.idempotency.find(idempotent.id), idempotent, now)
    if (replay) return replay
  }
  // `authorize` has let only a caller pass that the operation accepts.
  const actor = caller.actor as Actor
  const about = { requestId, mountPath, serviceUrl }
  const ctx: HandlerContext = { ...caller, ...about, actor, store, ids, now, services }
  const outcome = await handler(ctx, run.input)
  // Parsed before the commit: a reply that breaks its own contract must not leave a change behind.
  const reply = toReply(operation, outcome)
  assertAudited(operation, { audit: outcome.audit, isChange: isChange(outcome.change) })
  const change: Change = outcome.change ?? { writes: [], events: [] }
  const extra: Write[] = outcome.audit ? [auditWrite(ctx, outcome.audit)] : []
  if (idempotent) extra.push(...(await idempotencyWrites({ request: idempotent, store, reply, change, now })))
  const writes = extra.length > 0 ? [...change.writes, ...extra] : change.writes
  if (writes.length > 0 || change.events.length > 0) {
    const admitted = parts.quotas.admit(caller, change.writes)
    // Mostly admitted without a count: awaiting nothing would cost every request an event-loop tick.
    const reservation = admitted instanceof Promise ? await admitted : admitted
    try {
      passFaultPoint('before-commit')
      await store.commit({ ...change, writes })
      passFaultPoint('after-commit-before-answer')
    } finally {
      reservation?.end()
    }
  }
  announce(parts, caller, outcome)
  return reply
}

/** Announces what a handler does not store, to the streams of the team. */
function announce(
  { live }: RunParts,
  { tenantId, actor }: Authenticated,
  outcome: Pick<Outcome<AnyOperation>, 'live' | 'presence'>,
): void {
  for (const signal of outcome.live ?? []) live.publish(tenantId, signal)
  if (outcome.presence === undefined || actor.type !== 'user') return
  live.setPresence({ tenantId, userId: actor._id, sessionId: actor.sessionId }, outcome.presence)
}

/** The caller as the kind of credential that it has. */
function callerOf({ caller }: ParsedRequest): Pick<SystemContext, 'signedIn' | 'withKey'> {
  const { tenantId, actor } = caller ?? {}
  return {
    signedIn: tenantId && actor?.type === 'user' ? { tenantId, actor } : undefined,
    withKey: tenantId && actor?.type === 'apiKey' ? { tenantId, actor } : undefined,
  }
}

interface SystemRun extends ParsedRequest {
  idempotent: IdempotentRequest | undefined
}

async function runSystemHandler(parts: RunParts, request: SystemRun): Promise<Reply> {
  const { storage, clock, ids, services } = parts
  const { operation, requestId, mountPath, serviceUrl, address, idempotent } = request
  const handler = systemHandlers[operation.id as keyof SystemHandlers] as SystemHandlers[keyof SystemHandlers]
  const nowMs = clock.nowMs()
  const now = isoTime(nowMs)
  const forTenant = (id: TenantId) => storage.forTenant(id)
  if (idempotent) {
    const replay = replayOf(
      await forTenant(idempotent.tenantId).idempotency.find(idempotent.id),
      idempotent,
      now,
    )
    if (replay) return replay
  }
  const ctx = {
    system: storage.system,
    forTenant,
    ...callerOf(request),
    widget: request.widget,
    ids,
    now,
    nowMs,
    address,
    requestId,
    mountPath,
    serviceUrl,
    services,
  }
  const outcome = await handler(ctx, request.input as never)
  const reply = 'refusal' in outcome ? undefined : toReply(operation, outcome)
  const { change, tenantId } = outcome
  if (!('refusal' in outcome)) assertAudited(operation, { audit: outcome.audit, isChange: isChange(change) })
  if (change !== undefined && tenantId !== undefined) {
    const audit = systemAudit({ ...ctx, tenantId }, outcome)
    const stored = idempotent && reply ? { request: idempotent, reply } : undefined
    const replies = stored
      ? await idempotencyWrites({ ...stored, store: forTenant(tenantId), change, now })
      : []
    const writes = [...change.writes, ...audit, ...replies]
    await commitAdmitted(parts, request, { tenantId, change: { ...change, writes } })
  }
  if ('refusal' in outcome) throw outcome.refusal
  if (outcome.identityNote !== undefined) parts.identityAudit.note(outcome.identityNote)
  if (outcome.passwordReset !== undefined) parts.passwordResets.note(outcome.passwordReset)
  return reply as Reply
}

interface SystemChange {
  tenantId: TenantId
  change: Change<Kind>
}

/** Strangers create customers by the chat widget, so quotas hold there; the other operations are of people who sign in. */
async function commitAdmitted(
  { storage, quotas }: RunParts,
  { widget }: SystemRun,
  { tenantId, change }: SystemChange,
): Promise<void> {
  const reservation = widget && (await quotas.admit(widget, change.writes as Write[]))
  try {
    await storage.system.commit(tenantId, change)
  } finally {
    reservation?.end()
  }
}

function isChange(
  change: (Pick<Change, 'events' | 'attempts'> & { writes: readonly unknown[] }) | undefined,
) {
  if (change === undefined) return false
  return [change.writes, change.events, change.attempts ?? []].some((part) => part.length > 0)
}

function toReply(operation: AnyOperation, outcome: { reply: unknown; status?: number }): Reply {
  return {
    status: outcome.status ?? operation.status,
    body: JSON.stringify(parseReply(operation, outcome.reply)),
  }
}

/** The handler of a public operation names the actor; for other operations the actor is the signed-in caller. */
function systemAudit(
  ctx: Pick<SystemContext, 'ids' | 'now' | 'requestId' | 'signedIn'> & { tenantId: TenantId },
  outcome: SystemOutcome<AnyOperation> | SystemRefusal,
): Write<'auditLog'>[] {
  if ('refusal' in outcome || outcome.audit === undefined) return []
  const _id = ctx.signedIn?.actor._id ?? outcome.actingUserId ?? null
  return [auditWrite({ ...ctx, actor: { type: _id === null ? 'system' : 'user', _id } }, outcome.audit)]
}
