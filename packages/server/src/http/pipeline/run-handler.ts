import type { AnyOperation, IdFactory, InputOf, Operation } from '@crmkit/core'
import type { z } from 'zod'
import type { Actor } from '../../features/caller.ts'
import type { AuditNote, Handler, Outcome } from '../../features/handler.ts'
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
import type { AuditEntry } from '../../storage/kinds/audit-log.ts'
import type { TenantId } from '../../storage/records.ts'
import type { Authenticated } from '../credentials/credential-kind.ts'
import type { TenantQuotas } from '../quotas/tenant-quotas.ts'
import { withoutBrokenRows } from '../response/broken-rows.ts'
import type { Reply } from '../response/send-reply.ts'
import type { PasswordResetMailer } from '../usage/mail-password-resets.ts'
import type { IdentityAuditRecorder } from '../usage/record-identity-audit.ts'
import { auditWrite } from './audit-write.ts'
import type { Endpoint } from './endpoint.ts'
import {
  type IdempotentRequest,
  idempotencyWrites,
  idempotentRequest,
  type RunningRequests,
  replayOf,
} from './idempotency.ts'
import type { Incoming } from './incoming.ts'
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
  endpoint: Pick<Endpoint, 'operation' | 'isSystem' | 'auditActions'>
  /** Undefined on public operations. */
  caller: Authenticated | undefined
  incoming: Pick<Incoming, 'req' | 'requestId' | 'address'>
  input: InputOf<AnyOperation>
  path: string
  mountPath: string
  serviceUrl: string
  /** Defined for the public operations of the chat widget. */
  widget?: WidgetRequest | undefined
  /** The part in which a repeated request must be equal; its body unless given. */
  fingerprint?: unknown
}

/**
 * Runs one operation: the handler reads and decides, this commits once for each of its parts, mostly one, with everything that
 * must not happen twice. A conflict runs the handler again on fresh rows.
 */
export function runHandler(parts: RunParts, request: ParsedRequest): Promise<Reply> {
  const { endpoint, caller, incoming, path } = request
  if (endpoint.operation.method === 'GET' && !endpoint.isSystem)
    return runOnce(parts, request, {}).then(({ reply }) => reply)
  const idempotent = idempotentOf(request)
  // One queue for each resource of a tenant; callers of a public operation must not wait for each other.
  const tenant = caller?.tenantId ?? incoming.requestId
  const queues = { resource: `${tenant} ${path}`, tenant }
  const work = async () => {
    let run = await parts.conflictRetries.run(queues, () => runOnce(parts, request, { idempotent }))
    // A conflict repeats its own part alone: the earlier ones are committed.
    while (run.next !== undefined) {
      const { next } = run
      run = await parts.conflictRetries.run(queues, () => runOnce(parts, request, { idempotent, next }))
    }
    return run.reply
  }
  if (idempotent === undefined) return work()
  const end = parts.running.begin(idempotent)
  return work().finally(end)
}

/** Undefined when the request does not ask for idempotency. Throws VALIDATION_ERROR. */
function idempotentOf({ endpoint, caller, incoming, path, input, fingerprint }: ParsedRequest) {
  const header = incoming.req.headers['idempotency-key']
  if (header === undefined || caller === undefined) return undefined
  const { operation } = endpoint
  return idempotentRequest({ operation, header, ...caller, path, body: fingerprint ?? input.body })
}

type Decided = Omit<SystemOutcome<AnyOperation>, 'status'> &
  Pick<Outcome<AnyOperation>, 'next'> & { status?: Operation['status'] }
type Decision = Decided | SystemRefusal

interface Part {
  idempotent?: IdempotentRequest | undefined
  /** Undefined: the first one. */
  next?: Handler<AnyOperation> | undefined
}

interface Run {
  reply: Reply
  /** Defined: the reply is not the last one. */
  next?: Handler<AnyOperation> | undefined
}

/** One run of the handler, or of a later part of it, which a conflict repeats. */
async function runOnce(
  parts: RunParts,
  request: ParsedRequest,
  { idempotent, next: part }: Part,
): Promise<Run> {
  const nowMs = parts.clock.nowMs()
  const now = isoTime(nowMs)
  if (idempotent !== undefined) {
    const store = parts.storage.forTenant(idempotent.tenantId)
    const replay = replayOf(await store.idempotency.find(idempotent.id), idempotent, now)
    if (replay) return { reply: replay }
  }
  const decision = await decide(parts, request, { now, nowMs, part })
  if ('refusal' in decision) {
    await commit(parts, request, { decision, now })
    throw decision.refusal
  }
  // Parsed before the commit: a reply that breaks its own contract must not leave a change behind.
  const reply = toReply(request.endpoint.operation, decision)
  const { next } = decision
  const kept = idempotent && next === undefined ? { request: idempotent, reply } : undefined
  if (decision.change !== undefined || decision.audit !== undefined || kept !== undefined) {
    assertAudited(request.endpoint, { isChange: isChange(decision.change), audit: decision.audit })
    await commit(parts, request, { decision, now, kept })
  }
  announce(parts, request, decision)
  return { reply, next }
}

function decide(
  { storage, ids, services }: RunParts,
  { endpoint, caller, incoming, mountPath, serviceUrl, widget, input }: ParsedRequest,
  { now, nowMs, part }: { now: string; nowMs: number; part: Handler<AnyOperation> | undefined },
): Promise<Decision> {
  const { operation, isSystem } = endpoint
  const { requestId, address } = incoming
  const about = { ids, now, requestId, mountPath, serviceUrl, services }
  if (isSystem) {
    const handler = systemHandlers[
      operation.id as keyof SystemHandlers
    ] as SystemHandlers[keyof SystemHandlers]
    const forTenant = (id: TenantId) => storage.forTenant(id)
    const { system } = storage
    const ctx = { ...about, ...callerOf(caller), system, forTenant, widget, nowMs, address }
    return handler(ctx, input as never)
  }
  if (caller === undefined) throw new Error(`${operation.id} has no caller`)
  const { tenantId, tenantLimits } = caller
  const first = tenantHandlers[operation.id as keyof TenantHandlers] as Handler<AnyOperation>
  const handler = part ?? first
  // `authorize` has let only a caller pass that the operation accepts.
  const actor = caller.actor as Actor
  return handler({ ...about, tenantId, tenantLimits, actor, store: storage.forTenant(tenantId) }, input)
}

/** The caller as the kind of credential that it has. */
function callerOf(caller: Authenticated | undefined): Pick<SystemContext, 'signedIn' | 'withKey'> {
  const { tenantId, actor } = caller ?? {}
  return {
    signedIn: tenantId && actor?.type === 'user' ? { tenantId, actor } : undefined,
    withKey: tenantId && actor?.type === 'apiKey' ? { tenantId, actor } : undefined,
  }
}

interface Committed {
  decision: Decision
  now: string
  /** The reply that a repeated request gets. */
  kept?: { request: IdempotentRequest; reply: Reply } | undefined
}

/** Commits a change with all that must not happen twice: its audit entry, and the reply for a repeated request. */
async function commit(
  { storage, ids, quotas }: RunParts,
  request: ParsedRequest,
  { decision, now, kept }: Committed,
): Promise<void> {
  const { endpoint, caller, incoming, widget } = request
  const { isSystem } = endpoint
  const tenantId = isSystem ? decision.change && decision.tenantId : caller?.tenantId
  if (tenantId === undefined) return
  const store = storage.forTenant(tenantId)
  const change = decision.change ?? { writes: [], events: [] }
  const more: Write[] = []
  if ('audit' in decision && decision.audit !== undefined) {
    const actor = auditActorOf(request, decision)
    more.push(auditWrite({ ids, now, tenantId, requestId: incoming.requestId, actor }, decision.audit))
  }
  if (kept) more.push(...(await idempotencyWrites({ ...kept, store, change, now })))
  const whole = more.length > 0 ? { ...change, writes: [...change.writes, ...more] } : change
  if (!isChange(whole)) return
  // Strangers create customers by the chat widget, so quotas hold there too.
  const limited = widget ?? caller
  const admitted = limited && quotas.admit(limited, change.writes as Write[])
  // Mostly admitted without a count: awaiting nothing would cost every request an event-loop tick.
  const reservation = admitted instanceof Promise ? await admitted : admitted
  try {
    passFaultPoint('before-commit')
    await (isSystem ? storage.system.commit(tenantId, whole) : store.commit(whole as Change))
    passFaultPoint('after-commit-before-answer')
  } finally {
    reservation?.end()
  }
}

/** Throws for an entry that the operation does not declare, and for a change without the one that it declares. */
export function assertAudited(
  { operation, auditActions }: { operation: Operation; auditActions: readonly string[] },
  { isChange, audit }: { isChange: boolean; audit?: AuditNote | undefined },
): void {
  const isNoted = isChange || audit !== undefined
  if (!isNoted || auditActions.includes(audit?.action ?? 'none')) return
  throw new Error(
    `${operation.id} declares the audit entry ${auditActions.join(' or ')} and writes ${audit?.action ?? 'none'}: change its \`audit\` in ` +
      'packages/core/src/<area>/*-operations.ts or what its handler in packages/server/src/features/ returns',
  )
}

/** The handler of a public operation names the actor; for other operations the actor is the caller. */
function auditActorOf(
  { endpoint, caller }: ParsedRequest,
  { actingUserId }: Pick<SystemOutcome<AnyOperation>, 'actingUserId'>,
): AuditEntry['actor'] {
  if (caller !== undefined && (!endpoint.isSystem || caller.actor.type === 'user'))
    return caller.actor as Actor
  return actingUserId === undefined ? { type: 'system', _id: null } : { type: 'user', _id: actingUserId }
}

/** Announces what a handler does not store. */
function announce(
  { live, identityAudit, passwordResets }: RunParts,
  { caller }: ParsedRequest,
  { live: signals, presence, identityNote, passwordReset }: Omit<SystemOutcome<AnyOperation>, 'status'>,
): void {
  if (signals !== undefined && caller !== undefined)
    for (const signal of signals) live.publish(caller.tenantId, signal)
  if (presence !== undefined && caller?.actor.type === 'user') {
    const { tenantId, actor } = caller
    live.setPresence({ tenantId, userId: actor._id, sessionId: actor.sessionId }, presence)
  }
  if (identityNote !== undefined) identityAudit.note(identityNote)
  if (passwordReset !== undefined) passwordResets.note(passwordReset)
}

function isChange(
  change: (Pick<Change, 'events' | 'attempts'> & { writes: readonly unknown[] }) | undefined,
): boolean {
  if (change === undefined) return false
  return change.writes.length > 0 || change.events.length > 0 || (change.attempts?.length ?? 0) > 0
}

/** By the schema of the operation: zod drops undeclared fields, so no stored field of a resource can leak. */
function toReply(
  operation: AnyOperation,
  { reply, status = operation.status }: { reply: unknown; status?: number },
): Reply {
  const { success, data, error } = responseOf(operation, reply).safeParse(reply)
  return { status, body: JSON.stringify(success ? data : withoutBrokenRows(operation, reply, error)) }
}

/** A form that lacks a text has a list as its reply. */
function responseOf({ upload, response }: Operation, reply: unknown): z.ZodType {
  const isList = Array.isArray((reply as { data?: unknown }).data)
  return isList && upload?.without ? upload.without.response : response
}
