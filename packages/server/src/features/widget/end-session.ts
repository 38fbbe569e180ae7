import type { endWidgetSession } from '@crmkit/core'
import type { Handler } from '../handler.ts'

export const handleEndWidgetSession: Handler<typeof endWidgetSession> = async ({ store, actor }) => {
  const reply = { success: true, message: 'The session has ended' } as const
  const session = await store.widgetSessions.find(actor._id)
  if (session === undefined) return { reply }
  const change = {
    writes: [{ op: 'remove' as const, kind: 'widgetSessions' as const, id: session._id }],
    events: [],
  }
  return { change, reply }
}
