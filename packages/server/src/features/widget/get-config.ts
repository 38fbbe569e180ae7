import type { getWidgetConfig } from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import { isOnline } from '../../shared/user-of-record.ts'
import { completeWidget, pageWrites } from '../../shared/widget-page.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import type { UserRecord } from '../../storage/kinds/users.ts'
import { type SystemHandler, widgetOf } from '../system-handler.ts'
import { replyTimeOf } from './reply-time.ts'

const facesMax = 3

export const handleGetWidgetConfig: SystemHandler<typeof getWidgetConfig> = async (ctx) => {
  const { tenantId, inbox, pageOrigin: origin } = widgetOf(ctx)
  const { color, greeting, identityRequired, askEmail, showTeam, texts } = completeWidget(inbox)
  const store = ctx.forTenant(tenantId)
  const [present, replyTime, tenant] = await Promise.all([
    findPresent(store, inbox, { now: ctx.now, max: showTeam ? facesMax : 1 }),
    replyTimeOf(ctx.services, { store, inboxId: inbox._id, nowMs: ctx.nowMs }),
    showTeam ? ctx.system.findTenant(tenantId) : undefined,
  ])
  const faces = present.flatMap(({ firstName }) => (isShown(firstName) ? [{ name: firstName }] : []))
  const team = tenant === undefined ? null : { name: tenant.name, faces }
  const writes = ctx.services.isDiskFull() ? [] : pageWrites(inbox, { origin, now: ctx.now })
  const online = present.length > 0
  return {
    tenantId,
    change: { writes, events: [] },
    reply: {
      success: true,
      data: { color, greeting, online, identityRequired, askEmail, team, replyTime, texts },
    },
  }
}

/** An address can stand in for a missing name, and no visitor sees one. */
function isShown(firstName: string | null): firstName is string {
  return firstName !== null && !firstName.includes('@')
}

interface Wanted {
  now: string
  max: number
}

/** Returns members who are online. An inbox without members is everybody's. */
async function findPresent(
  store: TenantReads,
  { members }: InboxRecord,
  { now, max }: Wanted,
): Promise<UserRecord[]> {
  const present: UserRecord[] = []
  const take = (users: readonly (UserRecord | undefined)[]) => {
    for (const user of users) if (user !== undefined && isOnline(user, now)) present.push(user)
    return present.length >= max
  }
  if (members.length > 0) take(await Promise.all(members.map((id) => store.users.find(id))))
  let cursor: string | undefined
  while (members.length === 0) {
    const page = await store.users.listRows({ page: 1, limit: 100, cursor })
    if (take(page.rows) || page.nextCursor === null) break
    cursor = page.nextCursor
  }
  return present.slice(0, max)
}
