import { type Conversation, type IdFactory, reopenedConversation } from '@crmkit/core'
import type { Step } from '../../jobs/scheduler.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Storage } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import { VersionConflict } from '../../storage/errors.ts'
import { type Stored, type TenantId, withoutVersion } from '../../storage/records.ts'
import { conversationChange } from './change-conversation.ts'

const pageSize = 50
const lostRaceWaitMs = 250

interface WakeSnoozedParts {
  storage: Pick<Storage, 'system' | 'forTenant'>
  clock: Clock
  ids: IdFactory
}

/** Opens snoozed conversations whose time has come. */
export function createWakeSnoozed(parts: WakeSnoozedParts): Step {
  const { system } = parts.storage
  return {
    runDue: async () => {
      for (;;) {
        const due = await system.listDueSnoozes(isoTime(parts.clock.nowMs()), pageSize)
        const woken = await Promise.all(due.map((snooze) => wake(parts, snooze)))
        // A page of which none could be woken is left to the next sweep instead of being read for ever.
        if (due.length < pageSize || !woken.includes(true)) break
      }
      const nextAt = await system.nextSnoozeAt()
      return nextAt === null ? null : Math.max(Date.parse(nextAt), parts.clock.nowMs() + lostRaceWaitMs)
    },
  }
}

interface DueSnooze {
  tenantId: TenantId
  conversation: Stored<Conversation>
}

/** False when someone else changed the conversation meanwhile: the next look sees whether it is still due. */
async function wake(
  { storage, clock, ids }: WakeSnoozedParts,
  { tenantId, conversation: before }: DueSnooze,
): Promise<boolean> {
  const store = storage.forTenant(tenantId)
  const now = isoTime(clock.nowMs())
  const { conversation, changes } = reopenedConversation(withoutVersion(before), now)
  const { change } = await conversationChange({ store, ids, now }, { before, conversation, changes })
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
