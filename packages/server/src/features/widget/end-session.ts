import type { endWidgetSession } from '@crmkit/core'
import { removalOf } from '../../shared/removal-of.ts'
import type { Handler } from '../handler.ts'

export const handleEndWidgetSession: Handler<typeof endWidgetSession> = async ({ store, actor }) => {
  const reply = { success: true, message: 'The session has ended' } as const
  const session = await store.widgetSessions.find(actor._id)
  if (session === undefined) return { reply }
  return { change: { writes: [removalOf('widgetSessions', session)], events: [] }, reply }
}
