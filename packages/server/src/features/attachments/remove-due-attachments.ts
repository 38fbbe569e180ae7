import type { Step } from '../../jobs/scheduler.ts'
import type { AttachmentStore } from '../../ports/attachment-store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Storage } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import { removeAttachment } from '../../shared/remove-attachment.ts'

const pageSize = 100

interface RemoveDueParts {
  storage: Pick<Storage, 'system' | 'forTenant'>
  attachments: Pick<AttachmentStore, 'remove'>
  clock: Clock
  log: Log
}

/**
 * Removes attachments that were erased, never finished, or never used. Several processes may do so at once: each step
 * may be done twice.
 */
export function createRemoveDueAttachments(parts: RemoveDueParts): Step {
  const { storage, attachments, clock, log } = parts
  return {
    runDue: async () => {
      for (;;) {
        const now = isoTime(clock.nowMs())
        const due = await storage.system.listDueAttachments(now, pageSize)
        let removed = 0
        for (const { tenantId, attachment } of due) {
          try {
            const store = storage.forTenant(tenantId)
            if (await removeAttachment({ store, attachments, now }, attachment)) removed += 1
          } catch (error) {
            log.error({ err: error, attachmentId: attachment._id }, 'An attachment could not be removed')
          }
        }
        // A page of which none could be removed is left to the next look instead of being read for ever.
        if (due.length < pageSize || removed === 0) return null
      }
    },
  }
}
