import { type Activity, type Conversation, foldLabel } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { readAll } from '../../shared/read-all.ts'

interface Part {
  target: Pick<Conversation, '_id'>
  source: Pick<Conversation, '_id'>
  /** The labels that the target got by the merge. */
  addedLabels: readonly string[]
}

const pageLimit = 100

/** Returns the changes of the target since the source was merged into it, the newest first. */
async function changesSinceMerge(
  store: Pick<TenantReads, 'activities'>,
  { target, source }: Part,
): Promise<Activity[]> {
  const has = (side: unknown) => Array.isArray(side) && side.includes(source._id)
  const isMerge = ({ action, changes: { mergedFrom } }: Activity) =>
    action === 'merged' && has(mergedFrom?.to) && !has(mergedFrom?.from)
  const filter = { conversationId: target._id, sort: '-at', page: 1, limit: pageLimit } as const
  const found: Activity[] = []
  for await (const row of readAll((cursor) => store.activities.listRows({ ...filter, cursor }))) {
    if (isMerge(row)) break
    found.push(row)
  }
  return found
}

/**
 * Returns the writes that take the source's labels out of the target's timeline. They are words of the source: its deletion, which
 * the unmerge allows again, would not find them there.
 */
export async function labelsOutOfTimeline(
  store: Pick<TenantReads, 'activities'>,
  part: Part,
): Promise<Write[]> {
  const added = new Set(part.addedLabels.map(foldLabel))
  if (added.size === 0) return []
  const without = <V>(side: V) =>
    Array.isArray(side) ? side.filter((label) => !added.has(foldLabel(String(label)))) : side
  return (await changesSinceMerge(store, part)).flatMap(({ _id, changes }): Write[] => {
    const { labels } = changes
    if (labels === undefined) return []
    const kept = { from: without(labels.from), to: without(labels.to) }
    return [{ op: 'patch', kind: 'activities', id: _id, set: { changes: { ...changes, labels: kept } } }]
  })
}
