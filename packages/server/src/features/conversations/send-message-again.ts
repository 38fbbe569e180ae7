import {
  erasedAddress,
  invalidState,
  type MessageRecipient,
  normalizeEmail,
  notFound,
  type sendMessageAgain,
  shownMessage,
} from '@crmkit/core'
import { suppressedAmong } from '../../mail/addresses/suppressed-among.ts'
import { recipientWrites } from '../../mail/out/outbound-budget.ts'
import { giveUpMs } from '../../mail/out/queue-reply.ts'
import type { Write } from '../../ports/change.ts'
import { isoTime } from '../../shared/clock.ts'
import { messageStatusChange } from '../../shared/message-status-change.ts'
import { withoutVersion } from '../../storage/records.ts'
import type { Handler } from '../handler.ts'

/** The recipients who did not get the mail are queued again; those who got it get no second one. */
export const handleSendMessageAgain: Handler<typeof sendMessageAgain> = async (ctx, { params: { id } }) => {
  const { store, ids, now } = ctx
  const [row, send] = await Promise.all([store.messages.find(id), store.mailSends.find(id)])
  if (row === undefined) throw notFound()
  if (send === undefined || row.status !== 'failed')
    throw invalidState('Only a failed e-mail can be sent again', row.status, ['failed'])
  const before = shownMessage(withoutVersion(row))
  const suppressed = await suppressedAmong(
    store,
    before.recipients.map(({ address }) => address),
  )
  const recipients = before.recipients.map((recipient): MessageRecipient => {
    if (recipient.status !== 'failed' && recipient.status !== 'suppressed') return recipient
    if (recipient.address === erasedAddress) return recipient
    const status = suppressed.has(normalizeEmail(recipient.address)) ? 'suppressed' : 'queued'
    return { ...recipient, status, code: null, text: null, bouncedAt: null }
  })
  if (!recipients.some(({ status }) => status === 'queued'))
    throw invalidState('Every recipient of this e-mail is a suppressed or an erased address', row.status, [
      'failed',
    ])
  const set = { status: 'queued' as const, recipients, updatedAt: now }
  const message = { ...before, ...set }
  const inbox = await store.inboxes.find(send.inboxId)
  const { transport = 'none' } = inbox?.email ?? {}
  const count = recipients.filter(({ status }) => status === 'queued').length
  const counted =
    transport === 'none' ? [] : await recipientWrites(ctx, { transport, inboxId: send.inboxId, count })
  const writes: Write[] = [
    ...counted,
    { op: 'update', kind: 'messages', id, expectVersion: row.version, set },
    {
      op: 'update',
      kind: 'mailSends',
      id,
      expectVersion: send.version,
      set: {
        status: 'queued',
        dueAt: now,
        lockToken: null,
        tries: 0,
        giveUpAt: isoTime(Date.parse(now) + giveUpMs),
        updatedAt: now,
      },
    },
  ]
  const noted = await messageStatusChange({ store, ids, now }, { before, message })
  return {
    change: { writes: [...writes, ...noted.writes], events: noted.events },
    reply: { success: true, data: message },
  }
}
