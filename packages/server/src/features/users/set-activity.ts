import { notFound, type setActivity } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import { seenUser } from '../../shared/seen-user.ts'
import { userOfRecord } from '../../shared/user-of-record.ts'
import { type SystemHandler, signedInOf } from '../system-handler.ts'

/** Input of one session makes the user active; only the sessions that hold streams make them idle again, when all are. */
export const handleSetActivity: SystemHandler<typeof setActivity> = async (ctx, { body }) => {
  const { now } = ctx
  const { tenantId, actor } = signedInOf(ctx)
  const store = ctx.forTenant(tenantId)
  const [session, stored] = await Promise.all([
    store.sessions.find(actor.sessionId),
    store.users.find(actor._id),
  ])
  if (session === undefined || stored === undefined) throw notFound()
  const isIdle = body.state === 'idle'
  const wasIdle = Boolean(session.idleSince)
  const reply = (user: typeof stored) => {
    return { success: true as const, data: userOfRecord(user, { now, viewerId: user._id }) }
  }
  // A person who is idle twice has had no input between.
  if (isIdle && wasIdle) return { reply: reply(stored) }
  const { user, write } = seenUser(stored, { now, hasInput: true })
  const idleSince = isIdle ? now : null
  const sessionWrites: Write<'sessions'>[] =
    isIdle === wasIdle ? [] : [{ op: 'patch', kind: 'sessions', id: session._id, set: { idleSince } }]
  return {
    tenantId,
    change: { writes: [...sessionWrites, write], events: [] },
    reply: reply(user),
  }
}
