import { type IdFactory, reopenedConversation } from '@crmkit/core'
import { type BackgroundJob, type JobDeclaration, pollEveryMs } from '../../jobs/background-job.ts'
import type { Write } from '../../ports/change.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Storage } from '../../ports/storage.ts'
import type { RowOfTenant, SystemStore } from '../../ports/system-store.ts'
import { isoTime } from '../../shared/clock.ts'
import { bySystem } from '../../shared/conversation-log.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import { VersionConflict } from '../../storage/errors.ts'
import type { Kind } from '../../storage/kinds/registry.ts'
import { withoutVersion } from '../../storage/records.ts'
import { conversationChange } from './change-conversation.ts'

const pageSize = 50
/** Conversations of customers that are being erased stay due, and must not hold all others. */
const widePageSize = 1000
const conflictWaitMs = 250

interface WakeSnoozedParts {
  storage: Pick<Storage, 'system' | 'forTenant'>
  clock: Clock
  ids: IdFactory
}

/** Opens snoozed conversations whose time has come. */
export function createWakeSnoozed(parts: WakeSnoozedParts): BackgroundJob {
  const { system } = parts.storage
  return {
    runDue: async () => {
      let limit = pageSize
      for (;;) {
        const due = await system.across.dueSnoozes.due(isoTime(parts.clock.nowMs()), limit)
        const isAnyWoken = await wakeAll(parts, due)
        if (due.length < limit) break
        if (isAnyWoken) continue
        // A wide page of which none could be opened is left to the next poll instead of being read endlessly.
        if (limit === widePageSize) break
        limit = widePageSize
      }
      const nextAt = await nextSnoozeAt(system)
      return nextAt === null ? null : Math.max(Date.parse(nextAt), parts.clock.nowMs() + conflictWaitMs)
    },
  }
}

/** Opens a page, so many at a time: a wide one must not take every connection of the database. */
async function wakeAll(
  parts: WakeSnoozedParts,
  due: readonly RowOfTenant<'conversations'>[],
): Promise<boolean> {
  let isAnyWoken = false
  for (let at = 0; at < due.length; at += pageSize) {
    const some = due.slice(at, at + pageSize)
    const woken = await Promise.all(some.map((snooze) => wake(parts, snooze)))
    isAnyWoken ||= woken.includes(true)
  }
  return isAnyWoken
}

async function nextSnoozeAt({ across }: Pick<SystemStore, 'across'>): Promise<string | null> {
  return (await across.dueSnoozes.first())?.columns.dueAt ?? null
}

export const wakeSnoozed: JobDeclaration = {
  pollEveryMs,
  backlog: {
    waits: 'snoozed conversations that are to be opened',
    lateAfterMinutes: 5,
    oldestDue: nextSnoozeAt,
  },
  wakes: {
    on: ['conversations'],
    ask({ change }, wakeJob) {
      for (const write of change.writes) {
        const snoozedUntil = snoozeOf(write)
        if (snoozedUntil) wakeJob(Date.parse(snoozedUntil))
      }
    },
  },
  make: ({ storage, clock, ids }) => createWakeSnoozed({ storage, clock, ids }),
}

/** Returns the end of the snooze that a write sets; null or undefined when it sets none. */
function snoozeOf(write: Write<Kind>): string | null | undefined {
  if (write.kind !== 'conversations') return undefined
  if (write.op === 'insert') return write.row.snoozedUntil
  return write.op === 'update' ? write.set.snoozedUntil : undefined
}

/** Returns false when another commit changed the conversation: the next poll finds out whether it is still due. */
async function wake(
  { storage, clock, ids }: WakeSnoozedParts,
  { tenantId, row: before }: RowOfTenant<'conversations'>,
): Promise<boolean> {
  const store = storage.forTenant(tenantId)
  const now = isoTime(clock.nowMs())
  const { conversation, changes } = reopenedConversation(withoutVersion(before), now)
  const changed = { before, conversation, changes, by: bySystem }
  const { change } = await conversationChange({ store, ids, now }, changed)
  if (change === undefined) return false
  passFaultPoint('during-wake-snoozed')
  try {
    await store.commit(change)
    return true
  } catch (error) {
    if (error instanceof VersionConflict) return false
    throw error
  }
}
