import type { Column } from '../../output/column.ts'

/** An event as received, with its position in the log. A live event has no id and no position. */
export interface TailedEvent {
  readonly id?: string
  readonly event: string
  readonly timestamp: string
  readonly data: unknown
  readonly changes?: Readonly<Record<string, unknown>>
  readonly position?: string
}

export const eventColumns: readonly Column<TailedEvent>[] = [
  { title: 'When', value: ({ timestamp }) => timestamp, isTime: true },
  { title: 'Event', value: ({ event }) => event },
  { title: 'About', value: ({ data }) => aboutOf(data), isFlexible: true },
  { title: 'Changed', value: ({ changes = {} }) => Object.keys(changes), isFlexible: true },
  { title: 'Id', value: ({ id }) => id ?? null },
]

function aboutOf(data: unknown): string | null {
  const { _id, conversationId } = (data ?? {}) as { _id?: unknown; conversationId?: unknown }
  const id = _id ?? conversationId
  return typeof id === 'string' ? id : null
}
