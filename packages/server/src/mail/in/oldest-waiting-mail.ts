import type { SystemStore } from '../../ports/system-store.ts'

/** So many inboxes are looked at: more would make a scrape of the metrics slow. */
const inboxesMax = 100

/** Returns when the mail that waits longest was due, of the inboxes with mails that wait. */
export async function oldestWaitingMail(
  system: Pick<SystemStore, 'across'>,
  now: string,
): Promise<string | null> {
  let oldest: string | null = null
  let behind = ''
  for (let read = 0; read < inboxesMax; read++) {
    const found = await system.across.dueMails.first(behind)
    if (found === undefined) break
    const { mailQueue, dueAt } = found.columns
    behind = mailQueue
    if (dueAt <= now && (oldest === null || dueAt < oldest)) oldest = dueAt
  }
  return oldest
}
