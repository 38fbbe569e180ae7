import { Failure, notFound } from '@crmkit/core'
import type { SystemStore } from '../../ports/system-store.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import type { TenantLimits } from '../../storage/kinds/tenants.ts'
import type { Stored, TenantId } from '../../storage/records.ts'

export interface WidgetInbox {
  tenantId: TenantId
  tenantLimits: TenantLimits | undefined
  inbox: Stored<InboxRecord>
  isSuspended: boolean
}

/** Returns the inbox whose chat widget has this public key, in whatever state. Throws NOT_FOUND for an unknown key. */
export async function getWidgetInbox(
  system: Pick<SystemStore, 'across' | 'findTenant'>,
  key: string,
): Promise<WidgetInbox> {
  const found = await system.across.widgetKeys.find(key)
  const tenant = found && (await system.findTenant(found.tenantId))
  if (found === undefined || tenant === undefined) throw notFound()
  const { tenantId, row: inbox } = found
  return { tenantId, inbox, tenantLimits: tenant.limits, isSuspended: tenant.isSuspended }
}

/** Throws PERMISSION_DENIED while the widget is switched off, its inbox inactive or its tenant suspended. */
export function assertWidgetUsable({
  inbox,
  isSuspended,
}: Pick<WidgetInbox, 'isSuspended'> & { inbox: InboxRecord }): void {
  if (!isSuspended && inbox.isActive && inbox.widget.enabled) return
  throw new Failure('PERMISSION_DENIED', 'The chat widget of this inbox is switched off')
}

/** Returns the sources of `frame-ancestors` for the frame of this inbox: without any origin, every page may embed it. */
export function frameAncestors({ widget: { allowedOrigins } }: InboxRecord): string {
  return allowedOrigins.length === 0 ? '*' : allowedOrigins.join(' ')
}

/** Whether a page of this origin may call the endpoints of the widget: without any origin in the list, every page may. */
export function isOriginAllowed({ widget: { allowedOrigins } }: InboxRecord, origin: string): boolean {
  return allowedOrigins.length === 0 || allowedOrigins.includes(origin)
}
