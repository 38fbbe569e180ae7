import type { Write } from '../ports/change.ts'
import type { JobQueue } from '../ports/job-queue.ts'
import type { Committed } from '../ports/storage.ts'
import type { Kind } from '../storage/kinds/registry.ts'

/** Turns each commit into the wake-ups that it calls for, so that due work begins at once and not at the next sweep. */
export function wakeOnCommit(queue: Pick<JobQueue, 'wake'>): (commit: Committed) => void {
  return ({ change, deliveries }) => {
    // A webhook that was activated again may have attempts that are due.
    const isWebhookChanged = change.writes.some((write) => write.kind === 'webhooks' && write.op === 'update')
    if (deliveries > 0 || isWebhookChanged) queue.wake('deliveries')
    const isTaskMade = change.writes.some(
      ({ op, kind }) => op === 'erase' || (op === 'insert' && kind === 'tasks'),
    )
    if (isTaskMade) queue.wake('tasks')
    for (const write of change.writes) {
      const snoozedUntil = snoozeOf(write)
      if (snoozedUntil) queue.wake('snoozes', Date.parse(snoozedUntil))
    }
  }
}

function snoozeOf(write: Write<Kind>): string | null | undefined {
  if (write.kind !== 'conversations') return undefined
  if (write.op === 'insert') return write.row.snoozedUntil
  return write.op === 'update' ? write.set.snoozedUntil : undefined
}
