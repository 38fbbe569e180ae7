import { type BackgroundJob, type JobDeclaration, pollEveryMs } from '../../jobs/background-job.ts'
import type { AttachmentStore } from '../../ports/attachment-store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Storage } from '../../ports/storage.ts'
import type { RowOfTenant } from '../../ports/system-store.ts'
import { isoTime } from '../../shared/clock.ts'
import { removeAttachment } from '../../shared/remove-attachment.ts'
import { attachmentDueAt } from '../../storage/sort-keys.ts'

const pageSize = 100

interface RemoveDueParts {
  storage: Pick<Storage, 'system' | 'forTenant'>
  attachments: Pick<AttachmentStore, 'remove'>
  clock: Clock
  log: Log
}

/**
 * Removes attachments that were erased, never finished, or never used. Several processes may do so at once: each
 * removal may be done twice.
 */
export function createRemoveDueAttachments(parts: RemoveDueParts): BackgroundJob {
  const { storage, clock } = parts
  return {
    runDue: async () => {
      for (;;) {
        const now = isoTime(clock.nowMs())
        const due = await storage.system.across.dueAttachments.due(now, pageSize)
        let removed = 0
        for (const found of due) if (await tryRemove(parts, found, now)) removed += 1
        // A page of which none could be removed is left to the next poll instead of being read endlessly.
        if (due.length < pageSize || removed === 0) return null
      }
    },
  }
}

export const removeDueAttachments: JobDeclaration = {
  pollEveryMs,
  make: ({ storage, attachments, clock, log }) =>
    createRemoveDueAttachments({ storage, attachments, clock, log }),
  backlog: {
    waits: 'files that are to be deleted, those of erasures among them',
    lateAfterMinutes: 60,
    oldestDue: async (system, now) => {
      const [due] = await system.across.dueAttachments.due(now, 1)
      return due === undefined ? null : attachmentDueAt(due.row)
    },
  },
}

/** Returns whether the attachment was removed; logs a failure, so that one attachment does not block the others. */
async function tryRemove(
  { storage, attachments, log }: RemoveDueParts,
  { tenantId, row: attachment }: RowOfTenant<'attachments'>,
  now: string,
): Promise<boolean> {
  try {
    const store = storage.forTenant(tenantId)
    return await removeAttachment({ store, attachments, now }, attachment)
  } catch (error) {
    log.error({ err: error, attachmentId: attachment._id }, 'An attachment could not be removed')
    return false
  }
}
