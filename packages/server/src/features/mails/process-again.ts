import { invalidState, notFound, type processMailAgain } from '@crmkit/core'
import { findMail } from '../../shared/erased-address.ts'
import { isBlockedAddress } from '../../shared/is-blocked-address.ts'
import type { Handler } from '../handler.ts'
import { assertBytes } from './assert-bytes.ts'
import { showMail } from './show-mail.ts'

export const handleProcessMailAgain: Handler<typeof processMailAgain> = async (
  { store, now },
  { params: { id } },
) => {
  const row = await findMail(store, id)
  if (row === undefined) throw notFound()
  const isAllowed = row.status === 'parked' || row.reason === 'blocked' || row.reason === 'discarded'
  if (!isAllowed)
    throw invalidState('Only a parked mail, or one of a blocked sender, can be processed again', row.status, [
      'parked',
    ])
  if (row.reason === 'blocked' && row.from !== null && (await isBlockedAddress(store, row.from)))
    throw invalidState('The sender of this mail is blocked: unblock the customer first', 'blocked', [
      'unblocked',
    ])
  // A mail may have been parked for another reason before its inbox was deleted. That of its conversation exists.
  if (!row.made && (await store.inboxes.find(row.inboxId)) === undefined)
    throw invalidState('The inbox of this mail was deleted', 'inbox_deleted', ['in an inbox'])
  await assertBytes(store, row)
  const set = {
    status: 'received' as const,
    reason: null,
    error: null,
    processedAt: null,
    dueAt: now,
    tries: 0,
    updatedAt: now,
  }
  return {
    change: {
      writes: [{ op: 'update', kind: 'inboundMails', id, expectVersion: row.version, set }],
      events: [],
    },
    audit: { action: 'mail.processedAgain', target: { type: 'mail', _id: id } },
    reply: { success: true, data: showMail({ ...row, ...set }, now) },
  }
}
