import { assertMessageStatusMove, notFound, shownMessage, type updateMessage } from '@crmkit/core'
import type { Handler } from '../handler.ts'

export const handleUpdateMessage: Handler<typeof updateMessage> = async (
  { store, now },
  { params, body },
) => {
  const message = await store.messages.find(params.id)
  if (message === undefined) throw notFound()
  const { status = message.status } = body
  assertMessageStatusMove(message.status, status)
  if (status === message.status) return { reply: { success: true, data: shownMessage(message) } }
  const set = { status, updatedAt: now }
  return {
    change: {
      writes: [{ op: 'update', kind: 'messages', id: message._id, expectVersion: message.version, set }],
      events: [],
    },
    reply: { success: true, data: shownMessage({ ...message, ...set }) },
  }
}
