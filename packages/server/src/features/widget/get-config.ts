import type { getWidgetConfig } from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import { isOnline } from '../../shared/user-of-record.ts'
import { mailSettingsOf } from '../../shared/widget-mail-settings.ts'
import { pageWrites } from '../../shared/widget-page.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import { type SystemHandler, widgetOf } from '../system-handler.ts'

export const handleGetWidgetConfig: SystemHandler<typeof getWidgetConfig> = async (ctx) => {
  const { tenantId, inbox, pageOrigin: origin } = widgetOf(ctx)
  const { color, greeting, identityRequired } = inbox.widget
  const { askEmail } = mailSettingsOf(inbox)
  const online = await isAnybodyOnline(ctx.forTenant(tenantId), inbox, ctx.now)
  const writes = ctx.services.isDiskFull() ? [] : pageWrites(inbox, { origin, now: ctx.now })
  return {
    tenantId,
    change: { writes, events: [] },
    reply: { success: true, data: { color, greeting, online, identityRequired, askEmail } },
  }
}

/** An inbox without members is everybody's. */
async function isAnybodyOnline(store: TenantReads, { members }: InboxRecord, now: string): Promise<boolean> {
  if (members.length > 0) {
    const found = await Promise.all(members.map((id) => store.users.find(id)))
    return found.some((user) => user !== undefined && isOnline(user, now))
  }
  let cursor: string | undefined
  do {
    const page = await store.users.listRows({ page: 1, limit: 100, cursor })
    if (page.rows.some((user) => isOnline(user, now))) return true
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return false
}
