import { assertMessageStatusMove, notFound, shownMessage, type updateMessage } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import { messageStatusChange } from '../../shared/message-status-change.ts'
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
  const { writes, events } = await messageStatusChange({ store, ids, now }, { before, message })
  const update: Write = { op: 'update', kind: 'messages', id: row._id, expectVersion: row.version, set }
  return {
    change: { writes: [update, ...writes], events },
    reply: { success: true, data: message },
  }
}
