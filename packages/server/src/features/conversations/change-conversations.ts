import {
  assertNamedSnooze,
  type ChangeConversationsBody,
  type Conversation,
  type changeConversations,
  type ErrorCode,
  Failure,
  type UpdateConversationBody,
  validationFailure,
  withLabels,
  withoutLabels,
} from '@crmkit/core'
import type { Change } from '../../ports/change.ts'
import type { Handler, HandlerContext, Outcome } from '../handler.ts'
import { conversationUpdate, findExpected } from './change-conversation.ts'
import { assertReferences } from './conversation-references.ts'

/** A conversation brings up to three events, and each of them an attempt for each webhook. */
const conversationsOfCommit = 10

type Many = Outcome<typeof changeConversations>
type Row = Many['reply']['data'][number]

interface Part {
  body: ChangeConversationsBody
  /** The ids that are still to be changed. */
  ids: readonly string[]
  /** The results of the commits before. */
  done: readonly Row[]
}

/** Changes many conversations, ten in each commit. One that fails leaves the others. */
export const handleChangeConversations: Handler<typeof changeConversations> = async (ctx, { body }) => {
  await assertSet(ctx, body)
  return changePart(ctx, { body, ids: [...new Set(body.ids)], done: [] })
}

/** Throws VALIDATION_ERROR for a change that fits no conversation. */
async function assertSet(
  { store, now }: HandlerContext,
  { set = {} }: ChangeConversationsBody,
): Promise<void> {
  try {
    assertNamedSnooze(set, now)
    await assertReferences(store, set)
  } catch (error) {
    if (!(error instanceof Failure) || !Array.isArray(error.details)) throw error
    throw validationFailure(error.details.map((problem) => ({ ...problem, field: `set.${problem.field}` })))
  }
}

/** A user or an inbox may be deleted between two commits: then every further conversation is refused. */
async function isStillValid(ctx: HandlerContext, { body, done }: Part): Promise<boolean> {
  if (done.length === 0) return true
  try {
    await assertSet(ctx, body)
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

async function changePart(ctx: HandlerContext, part: Part): Promise<Many> {
  const { body, ids, done } = part
  const isValid = await isStillValid(ctx, part)
  const change: Change = { writes: [], events: [] }
  const rows: Row[] = []
  // One after the other, so that the order of the events is that of the ids.
  for (const _id of ids.slice(0, conversationsOfCommit)) {
    const changed = isValid ? await changeOne(ctx, _id, body) : { code: 'VALIDATION_ERROR' as const }
    if ('code' in changed) rows.push({ _id, result: 'failed', code: changed.code })
    else rows.push({ _id, result: changed.change ? 'changed' : 'unchanged' })
    if ('code' in changed || changed.change === undefined) continue
    change.writes.push(...changed.change.writes)
    change.events.push(...changed.change.events)
  }
  const rest: Part = { body, ids: ids.slice(conversationsOfCommit), done: [...done, ...rows] }
  return {
    ...(change.writes.length > 0 && { change }),
    reply: { success: true, data: [...rest.done] },
    ...(rest.ids.length > 0 && { next: (later: HandlerContext) => changePart(later, rest) }),
  }
}

/** The change of one conversation, undefined where it is so already; or the code of a refusal. */
async function changeOne(
  ctx: HandlerContext,
  id: string,
  body: ChangeConversationsBody,
): Promise<{ change?: Change } | { code: ErrorCode }> {
  try {
    const before = await findExpected(ctx.store, id, body.expected)
    return await conversationUpdate(ctx, before, fieldsFor(before, body))
  } catch (error) {
    if (error instanceof Failure) return { code: error.code }
    throw error
  }
}

function fieldsFor(
  { labels: before }: Pick<Conversation, 'labels'>,
  { set, addLabels = [], removeLabels = [] }: ChangeConversationsBody,
): UpdateConversationBody {
  if (addLabels.length + removeLabels.length === 0) return set ?? {}
  const kept = withoutLabels({ before, labels: removeLabels, field: 'labels' })
  return { ...set, labels: withLabels({ before: kept, labels: addLabels, field: 'labels' }) }
}
