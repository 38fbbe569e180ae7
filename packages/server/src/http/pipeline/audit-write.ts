import type { AuditNote, HandlerContext } from '../../features/handler.ts'
import type { Write } from '../../ports/change.ts'
import type { AuditEntry } from '../../storage/kinds/audit-log.ts'

type AuditParts = Pick<HandlerContext, 'ids' | 'tenantId' | 'now'> & {
  /** Null for a change that no request has asked for. */
  requestId: string | null
  actor: AuditEntry['actor']
}

export function auditWrite(
  ctx: AuditParts,
  { action, target, reason, changed }: AuditNote,
): Write<'auditLog'> {
  const row: AuditEntry = {
    _id: ctx.ids.next('aud'),
    tenantId: ctx.tenantId,
    at: ctx.now,
    actor: { type: ctx.actor.type, _id: ctx.actor._id },
    action,
    target,
    reason: reason ?? null,
    changed: changed ?? [],
    requestId: ctx.requestId,
  }
  return { op: 'insert', kind: 'auditLog', row }
}
