import type { DomainEvent, EventType, IdFactory } from '@crmkit/core'
import { rulesOf } from '../kinds/derive.ts'
import type { ErasedKind, OwnedKind } from '../kinds/registry.ts'
import type { TaskRecord } from '../kinds/tasks.ts'

/* The rules of an erasure, and the leftovers that it keeps, for every storage adapter alike. */

/** The fields that replace those of a row that has to stay, because more than the row is still to be removed. */
export function leftoverOf(kind: OwnedKind, at: string): object | undefined {
  const { erasure } = rulesOf(kind)
  return erasure.rows === 'deleted' ? erasure.leftover?.(at) : undefined
}

/** Rows, events, attempts and replies that one commit of an erasure takes. */
export const erasedPerCommitMax = 500

function taskTypeOf(kind: ErasedKind): TaskRecord['type'] {
  const { erasure } = rulesOf(kind)
  if (erasure.rows !== 'deleted' || erasure.task === undefined)
    throw new TypeError(`${kind} has no task of erasure`)
  return erasure.task as TaskRecord['type']
}

interface BegunErasure {
  kind: ErasedKind
  id: string
  at: string
}

/** The task that does the rest of an erasure. While it is there, it hides what is not removed yet. */
export function erasureTask(
  { kind, id, at }: BegunErasure,
  { tenantId, ids }: { tenantId: string; ids: IdFactory },
): TaskRecord {
  const _id = ids.next('tsk')
  return { _id, tenantId, type: taskTypeOf(kind), subjectId: id, targetId: null, requestedAt: at }
}

/** These events hold ids only: receivers get them also when their subject is deleted. */
export const deletionTypes: readonly EventType[] = [
  'customer.deleted',
  'conversation.deleted',
  'user.deleted',
]

/**
 * The fields of a conversation that stays, because it was given to somebody else, when the person who began it is erased. Its
 * first message says who began it.
 */
export const erasedWords = { subject: '(no subject)', page: null, rating: null }

/** The values of an import without these words: the next import takes those here for edited, and keeps them. */
export function withoutWords({ subject: _subject, ...values }: Readonly<Record<string, unknown>>) {
  return values
}

export const erasedText = 'The data of this event was erased before it could be delivered.'

/** Returns the body of an event without anything but its identity. */
export function erasedBody(body: string): string {
  const { id, event, timestamp, data } = JSON.parse(body) as {
    id: string
    event: string
    timestamp: string
    data?: { _id?: unknown } | null
  }
  return JSON.stringify({ id, event, timestamp, data: { _id: data?._id ?? null, erased: true } })
}

export function isErasedBody(body: string): boolean {
  if (!body.includes('"erased":true')) return false
  const { data } = JSON.parse(body) as { data?: { erased?: unknown } | null }
  return data?.erased === true && Object.keys(data).length === 2
}

/** An event as a reader may see it, when some of its subjects are erased. */
export function asErased<E extends Pick<DomainEvent, 'type' | 'subjects' | 'body'>>(
  event: E,
  erased: ReadonlySet<string>,
): E {
  if (deletionTypes.includes(event.type)) return event
  return event.subjects.some((subject) => erased.has(subject))
    ? { ...event, body: erasedBody(event.body) }
    : event
}
