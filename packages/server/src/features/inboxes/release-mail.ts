import { invalidState, notFound, type releaseMail } from '@crmkit/core'
import { releaseWrites } from '../../shared/release-mail.ts'
import type { Handler } from '../handler.ts'
import { showInbox } from './show-inbox.ts'

const dayMs = 24 * 3_600_000

export const handleReleaseMail: Handler<typeof releaseMail> = async (ctx, { params: { id } }) => {
  const { store, now } = ctx
  const row = await store.inboxes.find(id)
  if (row === undefined) throw notFound()
  const { state = 'active', releasedAt } = row.sending ?? {}
  if (state === 'active') return { reply: { success: true, data: await showInbox(ctx, row) } }
  if (releasedAt !== undefined && Date.parse(now) - Date.parse(releasedAt) < dayMs)
    throw invalidState('The mail of this inbox was released less than a day ago', state, ['active'])
  const { sending: _rest, ...released } = row
  return {
    change: { writes: await releaseWrites(store, row, now), events: [] },
    audit: { action: 'inbox.mailReleased', target: { type: 'inbox', _id: id } },
    reply: { success: true, data: await showInbox(ctx, { ...released, updatedAt: now }) },
  }
}
