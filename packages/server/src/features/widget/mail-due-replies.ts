import {
  type BackgroundJob,
  type JobDeclaration,
  type JobParts,
  pollEveryMs,
} from '../../jobs/background-job.ts'
import type { Write } from '../../ports/change.ts'
import type { RowOfTenant, SystemStore } from '../../ports/system-store.ts'
import { isoTime } from '../../shared/clock.ts'
import { StorageUnavailable, UniqueConflict, VersionConflict } from '../../storage/errors.ts'
import type { Kind } from '../../storage/kinds/registry.ts'
import { dueReplyChange } from './due-reply.ts'

const pageSize = 50
const suspendedWaitMs = 60_000
const failedWaitMs = 60_000
const conflictWaitMs = 250

type MailParts = Pick<JobParts, 'storage' | 'clock' | 'ids' | 'log' | 'secrets' | 'mail'>

/**
 * Queues mail with the replies that visitors of the chat widget have not read. Several processes may try at once: the commit that
 * queues a mail also ends its look, so only one of them succeeds.
 */
function createMailDueReplies(parts: MailParts): BackgroundJob {
  const { storage, clock } = parts
  return {
    runDue: async () => {
      for (;;) {
        const due = await storage.system.across.dueChatMails.due(isoTime(clock.nowMs()), pageSize)
        let handled = 0
        for (const found of due) if (await tryMail(parts, found)) handled += 1
        // A page of which none could be handled is left to the next poll instead of being read endlessly.
        if (due.length < pageSize || handled === 0) break
      }
      const nextAt = await nextLookAt(storage.system)
      return nextAt === null ? null : Math.max(Date.parse(nextAt), clock.nowMs() + conflictWaitMs)
    },
  }
}

/** Returns whether the look is over; logs a failure, so that one conversation does not block the others. */
async function tryMail(parts: MailParts, { tenantId, row }: RowOfTenant<'chatMails'>): Promise<boolean> {
  const { storage, clock, log } = parts
  const store = storage.forTenant(tenantId)
  const postpone = async (waitMs: number) => {
    const dueAt = isoTime(clock.nowMs() + waitMs)
    const set = { dueAt }
    const { _id: id, version: expectVersion } = row
    await store.commit({ writes: [{ op: 'update', kind: 'chatMails', id, expectVersion, set }], events: [] })
    return true
  }
  try {
    const tenant = await storage.system.findTenant(tenantId)
    if (tenant === undefined || tenant.isSuspended) return await postpone(suspendedWaitMs)
    const due = { ...parts, store, tenantLimits: tenant.limits, nowMs: clock.nowMs() }
    const change = await dueReplyChange(due, row)
    await store.commit(change)
    return true
  } catch (error) {
    // Another commit changed the conversation: the next poll reads it again.
    if (error instanceof VersionConflict || error instanceof UniqueConflict) return false
    if (error instanceof StorageUnavailable) throw error
    log.error(
      { err: error, conversationId: row._id },
      'Unread replies could not be mailed; it is tried again',
    )
    return postpone(failedWaitMs).catch(() => false)
  }
}

async function nextLookAt({ across }: Pick<SystemStore, 'across'>): Promise<string | null> {
  return (await across.dueChatMails.first())?.columns.dueAt ?? null
}

/** Returns the time of the look that a write plans; null or undefined when it plans none. */
function lookOf(write: Write<Kind>): string | null | undefined {
  if (write.kind !== 'chatMails') return undefined
  if (write.op === 'insert') return write.row.dueAt
  if (write.op === 'update') return write.set.dueAt
  return write.op === 'patch' ? write.setIfNull?.dueAt : undefined
}

export const mailDueReplies: JobDeclaration = {
  pollEveryMs,
  backlog: {
    waits: 'unread replies of chats that are to be mailed',
    lateAfterMinutes: 10,
    oldestDue: nextLookAt,
  },
  wakes: {
    on: ['chatMails'],
    ask({ change }, wake) {
      for (const write of change.writes) {
        const dueAt = lookOf(write)
        if (dueAt) wake(Date.parse(dueAt))
      }
    },
  },
  make: createMailDueReplies,
}
