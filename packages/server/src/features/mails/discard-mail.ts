import { type discardMail, invalidState, notFound } from '@crmkit/core'
import { findMail } from '../../shared/erased-address.ts'
import { needsYouUntil } from '../../storage/kinds/inbound-mails.ts'
import type { Handler } from '../handler.ts'
import { showMail } from './show-mail.ts'

export const handleDiscardMail: Handler<typeof discardMail> = async ({ store, now }, { params: { id } }) => {
  const row = await findMail(store, id)
  if (row === undefined) throw notFound()
  if (row.reason === 'discarded') return { reply: { success: true, data: showMail(row, now) } }
  if (needsYouUntil(row) === null)
    throw invalidState('Only a mail that needs a person can be discarded', row.status, ['parked'])
  const set = { status: 'ignored', reason: 'discarded', processedAt: now, updatedAt: now } as const
  return {
    change: {
      writes: [{ op: 'update', kind: 'inboundMails', id, expectVersion: row.version, set }],
      events: [],
    },
    audit: { action: 'mail.discarded', target: { type: 'mail', _id: id } },
    reply: { success: true, data: showMail({ ...row, ...set }, now) },
  }
}
