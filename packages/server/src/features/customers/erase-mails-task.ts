import type { TaskHandler } from '../../jobs/run-tasks.ts'
import type { Write } from '../../ports/change.ts'
import type { TenantStore } from '../../ports/storage.ts'
import { removalOf } from '../../shared/removal-of.ts'
import { erasedAttachment } from '../../storage/kinds/attachments.ts'
import type { InboundMailRecord } from '../../storage/kinds/inbound-mails.ts'
import type { Stored } from '../../storage/records.ts'
import { emailForms } from '../../storage/rules/email-forms.ts'

/** Mails of one commit. */
const pageSize = 50

/** Erases parked and ignored mails of an address: no conversation holds them, so no erasure of one finds them. */
export const eraseNextMails: TaskHandler = async ({ store, now }, { targetId }) => {
  const rows = await nextMailsOf(store, targetId ?? '')
  if (rows.length === 0) return undefined
  const writes = rows.map(async (row): Promise<Write[]> => {
    const { attachmentId } = row
    const raw = await store.attachments.find(attachmentId)
    const mail = removalOf('inboundMails', row)
    if (raw === undefined || raw.erasedAt !== null) return [mail]
    // The job of attachments removes the bytes.
    const set = erasedAttachment(now)
    return [mail, { op: 'update', kind: 'attachments', id: attachmentId, expectVersion: raw.version, set }]
  })
  return { writes: (await Promise.all(writes)).flat(), events: [] }
}

async function nextMailsOf(store: TenantStore, address: string): Promise<Stored<InboundMailRecord>[]> {
  for (const unlinkedSender of emailForms(address)) {
    const { rows } = await store.inboundMails.list({ unlinkedSender, page: 1, limit: pageSize })
    if (rows.length > 0) return rows
  }
  return []
}
