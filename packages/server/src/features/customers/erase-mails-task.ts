import type { TaskHandler } from '../../jobs/run-tasks.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { mailRemoval } from '../../shared/mail-removal.ts'
import type { InboundMailRecord } from '../../storage/kinds/inbound-mails.ts'
import type { Stored } from '../../storage/records.ts'
import { emailForms } from '../../storage/rules/email-forms.ts'

/** Mails of one commit. */
const pageSize = 50

/** Erases parked and ignored mails of an address. An earlier version has made the task; `eraseAddress` does more. */
export const eraseNextMails: TaskHandler = async ({ store, now }, { targetId }) => {
  const rows = await nextMailsOf(store, targetId ?? '')
  if (rows.length === 0) return undefined
  const writes = await Promise.all(rows.map((row) => mailRemoval(store, row, now)))
  return { writes: writes.flat(), events: [] }
}

async function nextMailsOf(store: TenantReads, address: string): Promise<Stored<InboundMailRecord>[]> {
  for (const unlinkedSender of emailForms(address)) {
    const { rows } = await store.inboundMails.listRows({ unlinkedSender, page: 1, limit: pageSize })
    if (rows.length > 0) return rows
  }
  return []
}
