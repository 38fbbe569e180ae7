import { type Door, doorEvent, type IdFactory, noEmailSettings } from '@crmkit/core'
import {
  type BackgroundJob,
  type JobDeclaration,
  type JobParts,
  pollEveryMs,
} from '../../jobs/background-job.ts'
import type { Change, Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import type { RowOfTenant, SystemStore } from '../../ports/system-store.ts'
import { isoTime } from '../../shared/clock.ts'
import { afterPatience } from '../../shared/note-door.ts'
import { removalOf } from '../../shared/removal-of.ts'
import { VersionConflict } from '../../storage/errors.ts'
import type { DoorRecord } from '../../storage/kinds/doors.ts'
import { imapMailboxOf } from '../../storage/kinds/inboxes.ts'
import type { Stored } from '../../storage/records.ts'
import { doorMailWrites } from './door-mail.ts'
import { shownDoor } from './shown-door.ts'

const pageSize = 100
const waitingMax = 100
const dayMs = 86_400_000

type WatchParts = Pick<JobParts, 'storage' | 'clock' | 'ids' | 'secrets' | 'mail'>

/** Informs the team that a door fails, and that it works again. Each is decided in one commit, which another process may make. */
export function createWatchDoors(parts: WatchParts): BackgroundJob {
  const { storage, clock } = parts
  return {
    runDue: async () => {
      const due = await storage.system.across.dueDoors.due(isoTime(clock.nowMs()), pageSize)
      for (const found of due) {
        const change = await changeOf(parts, found)
        try {
          await storage.forTenant(found.tenantId).commit(change)
        } catch (error) {
          if (!(error instanceof VersionConflict)) throw error
        }
      }
      const nextAt = await nextCheckAt(storage.system)
      return nextAt === null ? null : Math.max(Date.parse(nextAt), clock.nowMs() + pollEveryMs / 4)
    },
  }
}

async function changeOf(parts: WatchParts, { tenantId, row }: RowOfTenant<'doors'>): Promise<Change> {
  const { storage, clock, ids } = parts
  const nowMs = clock.nowMs()
  const now = isoTime(nowMs)
  const store = storage.forTenant(tenantId)
  const [of, tenant, waiting] = await Promise.all([
    subjectOf(store, row),
    storage.system.findTenant(tenantId),
    waitingAt(storage.system, row),
  ])
  if (tenant?.isSuspended) return updated(row, { checkAt: afterPatience(now) }, now)
  const eventParts = { door: shownDoor({ ...row, waiting }), now, ids }
  const isOver = of === undefined || (row.worksSince !== null && afterPatience(row.worksSince) <= now)
  if (row.since === null || isOver) return ended(row, { ...eventParts, isGone: of === undefined })
  if (row.worksSince !== null) return updated(row, { checkAt: afterPatience(row.worksSince) }, now)
  const isLong = row.isSignInRefused || afterPatience(row.since) <= now
  if (!isLong) return updated(row, { checkAt: afterPatience(row.since) }, now)
  const failingSince = row.failingSince ?? now
  const isMailDue = row.mailedAt === null || (row.mailedAt < failingSince && isDayOver(row.mailedAt, nowMs))
  const mails = isMailDue
    ? await doorMailWrites(
        { ...parts, store, now, tenantLimits: tenant?.limits },
        { row, name: of.name, usesRelay: of.usesRelay },
      )
    : []
  const set = {
    failingSince,
    waiting,
    mailedAt: mails.length > 0 ? now : row.mailedAt,
    checkAt: afterPatience(now),
  }
  const change = updated(row, set, now)
  return {
    writes: [...change.writes, ...mails],
    events: row.failingSince === null ? [eventOf('failing', eventParts)] : [],
  }
}

interface EventParts {
  door: Door
  now: string
  ids: IdFactory
}

const eventOf = (change: 'failing' | 'recovered', { door, now, ids }: EventParts) =>
  doorEvent(change, { door, id: ids.next('evt'), now })

function updated({ _id: id, version }: Stored<DoorRecord>, set: Partial<DoorRecord>, now: string): Change {
  const write: Write = {
    op: 'update',
    kind: 'doors',
    id,
    expectVersion: version,
    set: { ...set, updatedAt: now },
  }
  return { writes: [write], events: [] }
}

/** The row stays until the door may be mailed about again. */
function ended(row: Stored<DoorRecord>, { isGone, ...parts }: EventParts & { isGone: boolean }): Change {
  const { now } = parts
  const events = row.failingSince === null || isGone ? [] : [eventOf('recovered', parts)]
  const isKept = row.mailedAt !== null && !isDayOver(row.mailedAt, Date.parse(now)) && !isGone
  if (!isKept) return { writes: [removalOf('doors', row)], events }
  const checkAt = isoTime(Date.parse(row.mailedAt ?? now) + dayMs)
  const set = { since: null, worksSince: null, failingSince: null, isSignInRefused: false, checkAt }
  return { ...updated(row, set, now), events }
}

function isDayOver(moment: string, nowMs: number): boolean {
  return Date.parse(moment) + dayMs <= nowMs
}

/** Returns what a door belongs to; undefined once it is deleted or does not use the door any more. */
async function subjectOf(
  store: TenantReads,
  { door, inboxId, integrationId }: DoorRecord,
): Promise<{ name: string; usesRelay: boolean } | undefined> {
  if (integrationId !== null) {
    const integration = await store.integrations.find(integrationId)
    return integration?.isActive ? { name: integration.name, usesRelay: false } : undefined
  }
  const inbox = await store.inboxes.find(inboxId ?? '')
  if (!inbox?.isActive) return undefined
  const { transport, smtp } = inbox.email ?? noEmailSettings
  const isUsed = {
    mailbox: imapMailboxOf(inbox) !== null,
    // A server that was entered anew has failed at nothing yet.
    server: transport === 'relay' || (transport === 'smtp' && smtp?.status.ok !== null),
    events: Boolean(inbox.eventsToken),
    rest: inbox.sending?.state === 'resting',
    source: false,
  }
  return isUsed[door]
    ? { name: inbox.name, usesRelay: door === 'server' && transport === 'relay' }
    : undefined
}

async function waitingAt({ across }: SystemStore, { door, inboxId }: DoorRecord): Promise<number> {
  if (door !== 'server' || inboxId === null) return 0
  return (await across.dueMailSends.of(inboxId, waitingMax)).length
}

async function nextCheckAt({ across }: Pick<SystemStore, 'across'>): Promise<string | null> {
  return (await across.dueDoors.first())?.columns.checkAt ?? null
}

export const watchDoors: JobDeclaration = {
  pollEveryMs,
  backlog: {
    waits: 'doors about which the team is to be informed',
    lateAfterMinutes: 5,
    oldestDue: nextCheckAt,
  },
  wakes: {
    on: ['doors'],
    ask({ change }, wake) {
      for (const write of change.writes) if (write.kind === 'doors') wake()
    },
  },
  make: createWatchDoors,
}
