import type { TaskHandler } from '../../jobs/run-tasks.ts'
import { mailRemoval } from '../../shared/mail-removal.ts'

/** Mails of one commit. */
const pageSize = 50

/** Erases parked and ignored mails of an address. An earlier version has made the task; `eraseAddress` does more. */
export const eraseNextMails: TaskHandler = async ({ store, now }, { targetId }) => {
  const { rows } = await store.inboundMails.list({
    unlinkedSender: targetId ?? '',
    page: 1,
    limit: pageSize,
  })
  if (rows.length === 0) return undefined
  const writes = await Promise.all(rows.map((row) => mailRemoval(store, row, now)))
  return { writes: writes.flat(), events: [] }
}
