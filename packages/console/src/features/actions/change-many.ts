import type { ChangeConversations, Conversation } from '@crmkit/sdk'
import { type Problem, problemOf } from '../../api/problem.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'

export type ManyChange = Pick<ChangeConversations, 'set' | 'addLabels' | 'removeLabels'>

/** The most conversations of one request. */
const pageSize = 100

interface Done {
  readonly changed: readonly string[]
  readonly failed: number
  /** Defined: it ended before the last page. */
  readonly problem: Problem | undefined
}

/** A sentence for the person, and why it is not the best one. */
interface Outcome {
  readonly text: string
  readonly problem: Problem | undefined
}

interface Changed extends Outcome {
  /** Sets the former values of all of them back; undefined: nothing has changed. */
  readonly undo: (() => Promise<Outcome>) | undefined
}

/** Makes one change of many conversations. */
export async function changeMany(store: Store, ids: readonly string[], change: ManyChange): Promise<Changed> {
  const { rows } = store.conversations
  const before = new Map(ids.map((id) => [id, rows.peek(id)]))
  store.selection.clear()
  const { changed, failed, problem } = await runPages(store, ids, change)
  const former = changed.flatMap((id) => before.get(id) ?? [])
  const undo = former.length > 0 ? () => undoMany(store, former, change) : undefined
  return { text: more.bulk.done(changed.length, failed), problem, undo }
}

/** Sends the pages one after the other, and shows what each has changed. */
async function runPages(
  store: Store,
  ids: readonly string[],
  body: Omit<ChangeConversations, 'ids'>,
): Promise<Done> {
  const { crm, selection } = store
  const changed: string[] = []
  let failed = 0
  try {
    for (let done = 0; done < ids.length; done += pageSize) {
      selection.progress.value = { done, total: ids.length }
      const page = ids.slice(done, done + pageSize)
      const results = await crm.conversations.updateMany({ ids: page, ...body })
      for (const { _id, result } of results) {
        if (result === 'failed') failed++
        if (result !== 'changed') continue
        changed.push(_id)
        show(store, _id, body)
      }
    }
    return { changed, failed, problem: undefined }
  } catch (error) {
    return { changed, failed, problem: problemOf(error) }
  } finally {
    selection.progress.value = undefined
  }
}

/** The event of the change comes later, and has the rest. */
function show(
  { conversations }: Store,
  id: string,
  { set, addLabels = [], removeLabels = [] }: ManyChange,
): void {
  const row = conversations.rows.peek(id)
  if (row === undefined) return
  const kept = row.labels.filter((label) => !has(removeLabels, label))
  const labels = [...kept, ...addLabels.filter((label) => !has(kept, label))]
  conversations.patch(id, { ...(set as Partial<Conversation>), labels })
}

function has(labels: readonly string[], label: string): boolean {
  return labels.some((other) => other.toLowerCase() === label.toLowerCase())
}

/** The change that brings a conversation back to what it was. */
function formerOf(
  row: Conversation,
  { set = {}, addLabels = [], removeLabels = [] }: ManyChange,
): ManyChange {
  const fields = Object.keys(set).filter((field) => field !== 'snoozedUntil')
  const values = Object.fromEntries(fields.map((field) => [field, Reflect.get(row, field)]))
  const { status, snoozedUntil, labels } = row
  return {
    set: { ...values, ...(set.status !== undefined && status === 'snoozed' && { snoozedUntil }) },
    addLabels: labels.filter((label) => has(removeLabels, label)),
    removeLabels: addLabels.filter((label) => !has(labels, label)),
  }
}

/** One that somebody has changed since stays as it is. */
async function undoMany(store: Store, rows: readonly Conversation[], change: ManyChange): Promise<Outcome> {
  const { set } = change
  const expected = set && { expected: set as ChangeConversations['expected'] }
  // A request for many has no `wakeOnReply`, which the end of a snooze has reset.
  const isSilent = ({ status, wakeOnReply }: Conversation) => status === 'snoozed' && !wakeOnReply
  const silent = set?.status ? rows.filter(isSilent) : []
  const others = rows.filter((row) => !silent.includes(row))
  let failed = await snoozeAgain(store, silent, change)
  const groups = Map.groupBy(others, (row) => JSON.stringify(formerOf(row, change)))
  let problem: Problem | undefined
  for (const [former, group] of groups) {
    const done = await backTo(store, group, { ...(JSON.parse(former) as ManyChange), ...expected })
    failed += done.failed
    problem ??= done.problem
  }
  if (problem) return { text: t.actions.notUndone, problem }
  return { text: failed > 0 ? more.bulk.partlyUndone(failed) : t.actions.undone, problem }
}

async function snoozeAgain(store: Store, rows: readonly Conversation[], change: ManyChange): Promise<number> {
  let failed = 0
  for (const row of rows) {
    const fields = { ...formerOf(row, change).set, wakeOnReply: false } as Parameters<
      typeof store.conversations.update
    >[1]
    const expected = change.set as ChangeConversations['expected']
    await store.conversations.update(row._id, fields, expected).catch(() => failed++)
  }
  return failed
}

async function backTo(
  store: Store,
  rows: readonly Conversation[],
  body: Omit<ChangeConversations, 'ids'>,
): Promise<Done> {
  const ids = rows.map(({ _id }) => _id)
  const done = await runPages(store, ids, body)
  // The moment at which the snooze would have ended is over.
  const isOver = done.problem?.kind === 'invalid' && body.set?.snoozedUntil != null
  return isOver
    ? runPages(store, ids, { ...body, set: { ...body.set, status: 'open', snoozedUntil: null } })
    : done
}
