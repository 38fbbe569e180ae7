import type { IdFactory } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { ConversationRecord } from '../kinds/conversations.ts'
import type { FigureMark } from '../kinds/figure-marks.ts'
import type { ErasedKind, Kind } from '../kinds/registry.ts'

/** The fields of a conversation by which it is counted. */
const countedFields = [
  'status',
  'createdAt',
  'closedAt',
  'firstResponseAt',
  'channel',
  'assignedTo',
  'inboxId',
  'labels',
  'customerId',
  'mergedInto',
] as const satisfies readonly (keyof ConversationRecord)[]

interface MarkParts {
  tenantId: string
  ids: IdFactory
  /** ISO 8601. */
  at: string
}

function markOf({ tenantId, ids, at }: MarkParts, of: Pick<FigureMark, 'about' | 'subjectId'>): FigureMark {
  return { _id: ids.next('chg'), tenantId, ...of, at }
}

export function figureMarkOfConversation(parts: MarkParts, subjectId: string): FigureMark {
  return markOf(parts, { about: 'conversation', subjectId })
}

function isCounted(values: Partial<ConversationRecord> = {}): boolean {
  return countedFields.some((field) => values[field] !== undefined)
}

/** Returns whether a write changes what is counted of a conversation. */
function changesFigures(write: Write<Kind>): boolean {
  if (write.kind !== 'conversations') return false
  switch (write.op) {
    case 'insert':
    case 'ensure':
    case 'remove':
      return true
    case 'update':
      return isCounted(write.set)
    case 'patch':
      return isCounted(write.set) || isCounted(write.newest?.set) || Boolean(write.setIfNull?.firstResponseAt)
    case 'erase':
      return false
  }
}

/**
 * Returns the marks that the writes of a commit call for, one for each conversation. Worked out for every commit, so that no
 * door can forget them. An erasure is marked where it begins.
 */
export function figureMarksOfWrites(parts: MarkParts, writes: readonly Write<Kind>[]): Write<Kind>[] {
  const changed = writes.flatMap((write) => {
    if (!changesFigures(write)) return []
    return [write.op === 'insert' || write.op === 'ensure' ? write.row._id : write.id]
  })
  return [...new Set(changed)].map((subjectId) => {
    const row = figureMarkOfConversation(parts, subjectId)
    return { op: 'insert', kind: 'figureMarks', row }
  })
}

/** Returns the mark of an erased subject; undefined for one that no figure counts. */
export function figureMarkOfErasure(
  parts: MarkParts,
  { kind, id: subjectId }: { kind: ErasedKind; id: string },
): FigureMark | undefined {
  if (kind === 'conversations') return figureMarkOfConversation(parts, subjectId)
  return kind === 'customers' ? markOf(parts, { about: 'customer', subjectId }) : undefined
}
