import type { DomainEvent, EventType, IdFactory } from '@crmkit/core'
import type { Kind, Records, TaskRecord } from '../records.ts'

/* What an erasure takes and what it leaves behind, for every storage adapter alike. */

/** What can be erased, with all that belongs to it. */
export type ErasedKind = 'customers' | 'conversations'

/**
 * Whose rows are whose: a row goes with any of its owners, and is out of sight as soon as one of them is erased.
 * A kind that is added here is erased too; each adapter says by which of its fields the owner is found.
 */
export const owners = {
  conversations: ['customers'],
  // The customer who wrote it, whoever's conversation it is in.
  messages: ['conversations', 'customers'],
  attachments: ['messages'],
} as const satisfies { readonly [K in Kind]?: readonly Kind[] }
export type OwnedKind = keyof typeof owners
export type OwnerFields<K extends Kind> = K extends OwnedKind
  ? { owners: Readonly<Record<(typeof owners)[K][number], string>> }
  : object

export const ownedKinds = Object.keys(owners) as OwnedKind[]

export function isOwned(kind: Kind): kind is OwnedKind {
  return Object.hasOwn(owners, kind)
}

function ownersOf(kind: Kind): readonly Kind[] {
  return isOwned(kind) ? owners[kind] : []
}

/** Kinds whose rows belong to rows of this one. */
export function belongingsOf(kind: Kind): OwnedKind[] {
  return ownedKinds.filter((owned) => ownersOf(owned).includes(kind))
}

/** What is left of an attachment: that its bytes are still to be removed. It is nobody's then. */
export function erasedAttachment(at: string) {
  const nothing = { filename: '', contentType: 'application/octet-stream', size: 0, sha256: '' }
  return { ...nothing, messageId: null, erasedAt: at }
}

/**
 * What is written into a row that must stay, because more than the row has still to go; it may not name its owner any
 * more, or it is found again for ever. Rows of kinds without an entry are removed.
 */
const remains: { readonly [K in OwnedKind]?: (at: string) => Partial<Records[K]> } = {
  attachments: erasedAttachment,
}

export function remainsOf(kind: OwnedKind, at: string): object | undefined {
  return remains[kind]?.(at)
}

/** Rows, events, attempts and replies that one commit of an erasure takes. */
export const erasedPerCommitMax = 500

const taskTypes = { customers: 'eraseCustomer', conversations: 'eraseConversation' } as const
export const erasureTypes: readonly string[] = Object.values(taskTypes)

/** The task that does the rest of an erasure. While it is there, it hides what is not removed yet. */
export function erasureTask(
  { kind, id, at }: { kind: ErasedKind; id: string; at: string },
  { tenantId, ids }: { tenantId: string; ids: IdFactory },
): TaskRecord {
  const _id = ids.next('tsk')
  return { _id, tenantId, type: taskTypes[kind], subjectId: id, targetId: null, requestedAt: at }
}

/** These tell ids only: receivers have to hear of them, also when what they tell about is gone. */
export const deletionTypes: readonly EventType[] = ['customer.deleted', 'conversation.deleted']

export const erasedText = 'The data of this event was erased before it could be delivered.'

/** The body of an event that tells no more than which one it was. */
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
