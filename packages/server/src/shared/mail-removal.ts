import type { Write } from '../ports/change.ts'
import type { TenantReads } from '../ports/storage.ts'
import { erasedAttachment } from '../storage/kinds/attachments.ts'
import type { InboundMailRecord } from '../storage/kinds/inbound-mails.ts'
import type { Stored } from '../storage/records.ts'
import { removalOf } from './removal-of.ts'

/** Returns the writes that delete a mail which no conversation holds, with its bytes. */
export async function mailRemoval(
  store: Pick<TenantReads, 'attachments'>,
  row: Stored<InboundMailRecord>,
  now: string,
): Promise<Write[]> {
  const { attachmentId: id } = row
  const raw = await store.attachments.find(id)
  const mail = removalOf('inboundMails', row)
  if (raw === undefined || raw.erasedAt !== null) return [mail]
  // The job of attachments removes the bytes.
  const set = erasedAttachment(now)
  return [mail, { op: 'update', kind: 'attachments', id, expectVersion: raw.version, set }]
}
