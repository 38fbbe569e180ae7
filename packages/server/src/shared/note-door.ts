import { type DoorName, doorPatienceMs } from '@crmkit/core'
import type { Write } from '../ports/change.ts'
import type { TenantReads } from '../ports/storage.ts'
import { UniqueConflict, VersionConflict } from '../storage/errors.ts'
import type { DoorRecord } from '../storage/kinds/doors.ts'
import type { Stored } from '../storage/records.ts'
import { isoTime } from './clock.ts'

/** A door of an inbox, or of an integration. */
export interface DoorRef {
  door: DoorName
  /** The id of the inbox, or of the integration. */
  of: string
}

export interface Trouble {
  reason: string
  /** Nobody has to wait and see: trying again does not help. */
  isSignInRefused: boolean
}

type NoteParts = Pick<TenantReads, 'tenantId'> & { doors: Pick<TenantReads['doors'], 'find'> }

/**
 * Returns the write by which a door notes that it works (`trouble` is null) or does not, in the commit that learns it. Mostly there is
 * none: only a change is written. Where two learn the same at once, the later commit conflicts: `isNotedDoor`. The job `doors` decides when it informs the team.
 */
export async function doorWrites(
  store: NoteParts,
  { door, of }: DoorRef,
  { trouble, now }: { trouble: Trouble | null; now: string },
): Promise<Write<'doors'>[]> {
  const id = `${of}.${door}`
  const row = await store.doors.find(id)
  if (row === undefined && trouble === null) return []
  if (row === undefined && trouble !== null) {
    const { tenantId } = store
    const isSource = door === 'source'
    const newRow: DoorRecord = {
      _id: id,
      tenantId,
      door,
      inboxId: isSource ? null : of,
      integrationId: isSource ? of : null,
      ...begun(trouble, now),
      failingSince: null,
      mailedAt: null,
      waiting: 0,
      createdAt: now,
      updatedAt: now,
    }
    return [{ op: 'insert', kind: 'doors', row: newRow }]
  }
  const set = row && (trouble === null ? afterSuccess(row, now) : afterFailure(row, trouble, now))
  return row && set ? [update(row, { ...set, updatedAt: now })] : []
}

/** Whether a commit ended because another one has noted its door first. The work is repeated on the fresh row. */
export function isNotedDoor(error: unknown): boolean {
  const isTaken = error instanceof UniqueConflict || error instanceof VersionConflict
  return isTaken && error.kind === 'doors'
}

function update({ _id: id, version: expectVersion }: Stored<DoorRecord>, set: Partial<DoorRecord>) {
  return { op: 'update', kind: 'doors', id, expectVersion, set } as const
}

function begun({ reason, isSignInRefused }: Trouble, now: string) {
  const checkAt = isSignInRefused ? now : afterPatience(now)
  return { reason, isSignInRefused, since: now, worksSince: null, checkAt }
}

/** Returns what changes of a door that works; undefined when that is known. */
function afterSuccess({ since, worksSince }: DoorRecord, now: string): Partial<DoorRecord> | undefined {
  if (since === null || worksSince !== null) return undefined
  return { worksSince: now, checkAt: afterPatience(now) }
}

/** Returns what changes of a door that does not work; undefined when that is known. */
function afterFailure(row: DoorRecord, trouble: Trouble, now: string): Partial<DoorRecord> | undefined {
  if (row.since === null) return begun(trouble, now)
  const { reason } = trouble
  const isSignInRefused = trouble.isSignInRefused || row.isSignInRefused
  const isKnown = row.worksSince === null && row.reason === reason && row.isSignInRefused === isSignInRefused
  if (isKnown) return undefined
  // A door that fails and works in turns is one that fails, from its first failure on.
  const checkAt = isSignInRefused || row.failingSince !== null ? now : afterPatience(row.since)
  return { reason, isSignInRefused, worksSince: null, checkAt }
}

export function afterPatience(moment: string): string {
  return isoTime(Date.parse(moment) + doorPatienceMs)
}
