import { assertMessageStatusMove, notFound, shownMessage, type updateMessage } from '@crmkit/core'
import { messageStatusEvents } from '../../shared/message-status-events.ts'
import { withoutVersion } from '../../storage/records.ts'
import type { Handler } from '../handler.ts'

export const handleUpdateMessage: Handler<typeof updateMessage> = async (
  { store, ids, now },
  { params, body },
) => {
  const row = await store.messages.find(params.id)
  if (row === undefined) throw notFound()
  const before = shownMessage(withoutVersion(row))
  const { status = before.status } = body
  assertMessageStatusMove(before.status, status)
  if (status === before.status) return { reply: { success: true, data: before } }
  const set = { status, updatedAt: now }
  const message = { ...before, ...set }
  return {
    change: {
      writes: [{ op: 'update', kind: 'messages', id: row._id, expectVersion: row.version, set }],
      events: await messageStatusEvents({ store, ids, now }, { before, message }),
    },
    reply: { success: true, data: message },
  }
}
