import { auditWrite } from '../http/pipeline/audit-write.ts'
import type { Service } from '../main/compose/service.ts'
import type { Write } from '../ports/change.ts'
import type { TenantId } from '../storage/records.ts'

interface Entry {
  tenantId: TenantId
  now: string
  action: string
  target: { type: string; _id: string }
  changed?: readonly string[]
}

/** The audit entry of what the operator did. */
export function systemAudit({ ids }: Service, { tenantId, now, ...note }: Entry): Write<'auditLog'> {
  const actor = { type: 'system' as const, _id: null }
  return auditWrite({ ids, tenantId, now, requestId: null, actor }, note)
}
