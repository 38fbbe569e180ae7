import type { Write } from '../ports/change.ts'
import type { TenantReads } from '../ports/storage.ts'
import type { MovedRow } from '../storage/kinds/customer-merges.ts'

const pageSize = 100

interface Move {
  sourceId: string
  targetId: string
}

/** The kinds whose rows a merge moves with their customer. Visitors come first: they may write at any moment. */
const movedKinds = [
  'widgetPersons',
  'widgetSessions',
  'customerMerges',
  'importLinks',
  'conversations',
  'calls',
  'customerNotes',
  'views',
] as const

/**
 * Returns writes that move the next page of rows of a merged customer to the target: its visitors, the merges into it, its links to
 * records of other CRMs, its conversations, its calls, the notes about it, then the saved views that name it. Empty when none is left. Nobody has worked on the conversations, so they keep their `updatedAt` and
 * there is no event about them.
 */
export async function moveOfCustomer(store: TenantReads, { sourceId, targetId }: Move): Promise<Write[]> {
  const writes: Write[] = []
  for (const kind of movedKinds) {
    const limit = pageSize - writes.length
    if (limit <= 0) break
    const { rows } = await listOf(store, kind)({ customerId: sourceId, page: 1, limit })
    for (const { _id: id, version: expectVersion, entityId } of rows) {
      // A link to the person leads to the target from now on, so that the next import finds it there. An undo must not take
      // the target for the row that the import has made: the version was the source's.
      const relinked = { entityId: targetId, rowVersion: 0 }
      const set = { customerId: targetId, ...(entityId === sourceId && relinked) }
      writes.push({ op: 'update', kind, id, expectVersion, set } as Write)
    }
  }
  return writes
}

interface RowsOfCustomer {
  rows: readonly { _id: string; version: number; entityId?: string }[]
}

/** The stored lists of these kinds have different rows, of which a move needs only the id and the version. */
function listOf(store: TenantReads, kind: (typeof movedKinds)[number]) {
  const list = (filter: { customerId: string; page: number; limit: number }): Promise<RowsOfCustomer> => {
    if (kind === 'conversations') return store.conversations.listRows({ ...filter, sort: 'createdAt' })
    if (kind === 'calls') return store.calls.listRows(filter)
    if (kind === 'customerNotes') return store.customerNotes.listRows(filter)
    if (kind === 'views') return store.views.listRows(filter)
    if (kind === 'customerMerges') return store.customerMerges.listRows(filter)
    if (kind === 'importLinks') return store.importLinks.listRows(filter)
    if (kind === 'widgetPersons') return store.widgetPersons.listRows(filter)
    return store.widgetSessions.listRows({ ...filter, sort: 'createdAt' })
  }
  return list
}

/** Returns the rows that writes move, as the merge keeps them. */
export function rowsMovedBy(writes: readonly Write[]): MovedRow[] {
  return writes.flatMap(({ op, kind, ...write }) => {
    const isMove = op === 'update' && [...movedKinds, 'externalLinks'].includes(kind)
    return isMove && 'id' in write ? [{ kind: kind as MovedRow['kind'], id: write.id }] : []
  })
}
