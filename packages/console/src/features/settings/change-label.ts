import type { Conversation } from '@crmkit/sdk'
import type { Crm } from '../../api/crm.ts'
import { type Problem, problemOf } from '../../api/problem.ts'

/** The most conversations of one request. */
const pageSize = 100

export interface LabelChange {
  readonly from: string
  /** Null: the label is removed. */
  readonly to: string | null
}

/** A conversation before its change. */
interface Former {
  readonly id: string
  /** In the spelling of the conversation. */
  readonly label: string
  /** Whether it had the new label too. */
  readonly hadNew: boolean
}

interface Outcome {
  readonly changed: readonly Former[]
  readonly failed: number
  /** Defined: it ended before the last page. */
  readonly problem: Problem | undefined
}

function isSame(one: string, other: string | null): boolean {
  return one.toLowerCase() === other?.toLowerCase()
}

/**
 * Renames or removes a label page by page. `goesOn` hears how many conversations are done, and says whether there is another page. A page
 * that is done stays so, and a repetition does the rest.
 */
export async function changeLabel(
  crm: Crm,
  { from, to }: LabelChange,
  goesOn: (done: number, total: number) => boolean,
): Promise<Outcome> {
  const changed: Former[] = []
  let done = 0
  let failed = 0
  let cursor: string | null = null
  try {
    do {
      // In an order that the change leaves as it is: the pages that follow stay where they are.
      const page: { data: Conversation[]; total: number; nextCursor: string | null } =
        await crm.conversations.list({
          label: from,
          sort: 'createdAt',
          limit: pageSize,
          ...(cursor !== null && { cursor }),
        })
      const results = await changePage(crm, page.data, { from, to })
      changed.push(...results.changed)
      failed += results.failed
      const before: number = done
      done += page.data.length
      // The total counts what still has the label.
      if (!goesOn(done, Math.max(done, before + page.total))) break
      cursor = page.nextCursor
    } while (cursor !== null)
    return { changed, failed, problem: undefined }
  } catch (error) {
    return { changed, failed, problem: problemOf(error) }
  }
}

async function changePage(crm: Crm, rows: readonly Conversation[], { from, to }: LabelChange) {
  if (rows.length === 0) return { changed: [], failed: 0 }
  const results = await crm.conversations.updateMany({
    ids: rows.map(({ _id }) => _id),
    removeLabels: [from],
    ...(to !== null && { addLabels: [to] }),
  })
  const formerOf = ({ _id, labels }: Conversation): Former => ({
    id: _id,
    label: labels.find((label) => isSame(label, from)) ?? from,
    hadNew: to !== null && !isSame(from, to) && labels.some((label) => isSame(label, to)),
  })
  const idsOf = (wanted: string) =>
    new Set(results.filter(({ result }) => result === wanted).map(({ _id }) => _id))
  const changed = idsOf('changed')
  return {
    changed: rows.filter(({ _id }) => changed.has(_id)).map(formerOf),
    failed: idsOf('failed').size,
  }
}

/** Gives each conversation its former label back. Returns how many could not get it. */
export async function undoLabel(crm: Crm, { to }: LabelChange, changed: readonly Former[]): Promise<number> {
  let failed = 0
  const groups = Map.groupBy(changed, ({ label, hadNew }) => JSON.stringify([label, hadNew]))
  for (const group of groups.values()) {
    const { label, hadNew } = group[0] as Former
    for (let at = 0; at < group.length; at += pageSize) {
      const results = await crm.conversations.updateMany({
        ids: group.slice(at, at + pageSize).map(({ id }) => id),
        ...(to !== null && !hadNew && { removeLabels: [to] }),
        addLabels: [label],
      })
      failed += results.filter(({ result }) => result === 'failed').length
    }
  }
  return failed
}
