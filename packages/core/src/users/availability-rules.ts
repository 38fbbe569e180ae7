import type { Problem } from '../contract/failure.ts'
import type { UpdateUserBody, User } from './user.ts'

/** How a person is there without a word of their own: online so long after their last input, and away after that. */
const idleMs = 10 * 60_000
/** A process writes every 30 seconds that it holds a stream: one write may be late. */
const streamLostMs = 60_000
const streamGoneMs = 10 * 60_000
/** How long a person may say that they are away, before the service decides again. */
const untilMaxMs = 7 * 24 * 3600_000

export type AvailabilityMode = User['availabilityMode']

/** The stored part of the availability of a user. Everything that is shown follows from it and from the time. */
export interface StoredAvailability {
  /** The word of the user, or of an admin. Null in rows from before the mode `auto`: `availability` decides there. */
  availabilityMode?: AvailabilityMode | null
  /** When the mode was set; null: it never was. */
  availabilitySetAt?: string | null
  availabilityUntil?: string | null
  /** When a process last held a live stream of the user. */
  streamSeenAt?: string | null
  /** When a session of the user last had input, or was not idle. */
  idleSince?: string | null
  /** When the user came online last. */
  onlineSince?: string | null
}

export type ShownAvailability = Pick<
  User,
  'availability' | 'availabilityMode' | 'availabilitySince' | 'availabilityUntil'
>

interface AvailabilityRow extends StoredAvailability {
  availability: string
  isActive: boolean
  createdAt: string
}

/** Nobody chose to be online before the mode `auto`, so it is `auto`. */
function storedMode({ availabilityMode, availability }: AvailabilityRow): AvailabilityMode {
  if (availabilityMode) return availabilityMode
  return availability === 'away' || availability === 'offline' ? availability : 'auto'
}

const later = (a: string, b: string | null | undefined) => (b && b > a ? b : a)
const plusMs = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString()

/** Returns the availability of a user at a moment. A mode whose time is over is `auto` again. */
export function availabilityAt(row: AvailabilityRow, now: string): ShownAvailability {
  const stored = storedMode(row)
  const until = row.availabilityUntil ?? null
  const isOver = until !== null && until <= now
  const availabilityMode = isOver ? 'auto' : stored
  const decidedAt = (isOver ? until : row.availabilitySetAt) ?? row.createdAt
  const shown = { availabilityMode, availabilityUntil: isOver ? null : until }
  if (!row.isActive)
    return { ...shown, availability: 'offline', availabilitySince: row.streamSeenAt ?? row.createdAt }
  if (availabilityMode !== 'auto')
    return { ...shown, availability: availabilityMode, availabilitySince: decidedAt }
  const { availability, since } = automaticAt(row, now)
  return { ...shown, availability, availabilitySince: later(since, decidedAt) }
}

/** The availability by streams and input alone. */
function automaticAt(
  { streamSeenAt, idleSince, onlineSince, createdAt }: AvailabilityRow,
  now: string,
): { availability: User['availability']; since: string } {
  if (!streamSeenAt) return { availability: 'offline', since: createdAt }
  const goneAt = plusMs(streamSeenAt, streamGoneMs)
  if (goneAt <= now) return { availability: 'offline', since: goneAt }
  const idleAt = plusMs(idleSince ?? streamSeenAt, idleMs)
  const lostAt = plusMs(streamSeenAt, streamLostMs)
  const [awayAt = idleAt] = [idleAt, lostAt].sort()
  if (awayAt <= now) return { availability: 'away', since: awayAt }
  return { availability: 'online', since: onlineSince ?? streamSeenAt }
}

/** The availability that everybody else sees of a person who has restricted the processing of their data. */
export function hiddenAvailability({ createdAt }: Pick<AvailabilityRow, 'createdAt'>): ShownAvailability {
  return {
    availability: 'offline',
    availabilityMode: 'auto',
    availabilitySince: createdAt,
    availabilityUntil: null,
  }
}

/**
 * Returns what a change sets; undefined where it says nothing about the availability, or nothing new. A change that names the
 * availability without a time holds until it is changed.
 */
export function changedAvailability(
  before: User,
  { availability, availabilityUntil }: UpdateUserBody,
  now: string,
):
  | { availabilityMode: AvailabilityMode; availabilityUntil: string | null; availabilitySetAt: string }
  | undefined {
  const isNamed = availability !== undefined
  if (!isNamed && availabilityUntil === undefined) return undefined
  const mode = isNamed ? (availability ?? 'auto') : before.availabilityMode
  const until = mode === 'auto' ? null : (availabilityUntil ?? null)
  const isSame = mode === before.availabilityMode
  if (isSame && until === before.availabilityUntil) return undefined
  return {
    availabilityMode: mode,
    availabilityUntil: until,
    availabilitySetAt: isSame ? before.availabilitySince : now,
  }
}

/** Returns what is wrong with the end of an availability. */
export function availabilityProblems(
  { availability, availabilityUntil }: UpdateUserBody,
  now: string,
): Problem[] {
  if (!availabilityUntil) return []
  const problem = (rule: string, message: string): Problem[] => [
    { field: 'availabilityUntil', message, rule, in: 'body' },
  ]
  if (!availability) return problem('availability', 'needs an availability beside it that is not null')
  const leftMs = Date.parse(availabilityUntil) - Date.parse(now)
  if (leftMs <= 0) return problem('future', 'must be in the future')
  if (leftMs > untilMaxMs) return problem('max', 'must be within the next 7 days')
  return []
}
