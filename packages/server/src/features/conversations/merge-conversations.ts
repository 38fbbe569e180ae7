import {
  type Changes,
  type Conversation,
  changesBetween,
  conflict,
  conversationMergeEvent,
  foldLabel,
  invalidState,
  type mergeConversations,
  mergedFromMax,
  notFound,
  referenceFailure,
  type unmergeConversation,
  validationFailure,
  withLabels,
} from '@crmkit/core'
import type { Change, Write } from '../../ports/change.ts'
import { changedLog, mergeActivity } from '../../shared/conversation-log.ts'
import { assertNotMerged } from '../../shared/merged-conversation.ts'
import { type ConversationRecord, mergedStatus } from '../../storage/kinds/conversations.ts'
import { type Stored, withoutVersion } from '../../storage/records.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { authorOf } from './author.ts'
import { conversationChange } from './change-conversation.ts'
import { findCustomerOf } from './conversation-references.ts'
import { factsOfBoth, factsWithout } from './merged-facts.ts'
import { labelsOutOfTimeline } from './merged-labels.ts'
import { readsAfterMerge, readsAfterUnmerge } from './merged-reads.ts'
import { authorReadWrites, withUnread } from './read-state.ts'

type Row = Stored<ConversationRecord>

export const handleMergeConversations: Handler<typeof mergeConversations> = async (ctx, { params, body }) => {
  const { store, now } = ctx
  const target = await store.conversations.find(params.id)
  if (target === undefined) throw notFound()
  if (body.sourceId === target._id)
    throw validationFailure([
      { field: 'sourceId', message: 'must be another conversation', rule: 'self', in: 'body' },
    ])
  const source = await store.conversations.find(body.sourceId)
  if (source === undefined) throw referenceFailure('sourceId')
  await assertMergeable(ctx, target, source)
  const labels = withLabels({ before: target.labels, labels: source.labels, field: 'labels' })
  const kept = new Set(target.labels.map(foldLabel))
  const addedLabels = labels.filter((label) => !kept.has(foldLabel(label)))
  const ofSource = await sourceChange(ctx, { source, target, addedLabels })
  const { counts, newest, ...facts } = factsOfBoth(target, source)
  const set = { labels, mergedFrom: [...(target.mergedFrom ?? []), source._id], updatedAt: now }
  const conversation = { ...withoutVersion(target), ...set, ...facts, ...counts, ...newest }
  const ofTarget = await targetChange(ctx, { action: 'merged', target, source, conversation, set })
  const { messageCount, seq = 0 } = source
  const reads = await readsAfterMerge(ctx, { target, source, after: { ...target, ...conversation } })
  const writes: Write[] = [
    ...ofSource.writes,
    ...ofTarget.writes,
    {
      op: 'patch',
      kind: 'conversations',
      id: target._id,
      increment: { messageCount, seq },
      set: { ...facts, ...newest },
      when: { seq: target.seq },
    },
    ...reads.writes,
    ...(await authorReadWrites(ctx, conversation)),
  ]
  return {
    change: { writes, events: [...ofSource.events, ...ofTarget.events] },
    audit: { action: 'conversation.merged', target: { type: 'conversation', _id: target._id } },
    reply: { success: true, data: await withUnread(ctx, conversation) },
    live: reads.live,
  }
}

/** Throws INVALID_STATE or CONFLICT where the two cannot be one conversation (ADR 73). */
async function assertMergeable({ store }: HandlerContext, target: Row, source: Row): Promise<void> {
  assertNotMerged(target)
  assertNotMerged(source)
  if ((source.mergedFrom ?? []).length > 0)
    throw invalidState('Other conversations were merged into the source', 'merged', [])
  if ((target.mergedFrom ?? []).length >= mergedFromMax)
    throw invalidState(`At most ${mergedFromMax} conversations can be merged into one`, 'full', [])
  for (const { visitorId, importedAt, externalIds = [] } of [target, source]) {
    if (visitorId) throw invalidState('A conversation of the chat widget cannot be merged', 'widget', [])
    if (importedAt !== undefined || externalIds.length > 0)
      throw invalidState('A conversation of another system cannot be merged', 'imported', [])
  }
  const customers = [target.customerId, source.customerId]
  if (target.customerId === null || source.customerId !== target.customerId)
    throw conflict('Both conversations must be of one customer', { customers })
  const drafts = await store.drafts.listRows({ conversationId: source._id, page: 1, limit: 100 })
  if (drafts.rows.some(({ sendAt }) => sendAt !== null))
    throw invalidState('A draft of the source waits to be sent', 'planned', [])
}

interface SourceOf {
  source: Row
  target: Row
  addedLabels: string[]
}

/** Closes the source. A message that comes to it at this moment makes the commit conflict. */
async function sourceChange(ctx: HandlerContext, { source, target, addedLabels }: SourceOf): Promise<Change> {
  const { status, snoozedUntil, wakeOnReply, closedAt } = source
  const before = withoutVersion(source)
  const conversation: Conversation = {
    ...before,
    status: 'closed',
    snoozedUntil: null,
    wakeOnReply: true,
    closedAt: closedAt ?? ctx.now,
    mergedInto: target._id,
    updatedAt: ctx.now,
  }
  const changes = changesBetween(before, conversation)
  const beforeMerge = { status, snoozedUntil, wakeOnReply, closedAt, addedLabels }
  const set = { status: mergedStatus, mergedInto: target._id, beforeMerge }
  return ownChange(ctx, { action: 'merged', before: source, conversation, changes, set })
}

interface OwnChange {
  action: 'merged' | 'unmerged'
  before: Row
  conversation: Conversation
  changes: Changes
  set: Partial<ConversationRecord>
}

async function ownChange(ctx: HandlerContext, { action, set, ...changed }: OwnChange): Promise<Change> {
  const { before, conversation } = changed
  const by = authorOf(ctx.actor)
  const { change } = await conversationChange(ctx, { ...changed, by })
  const writes = (change?.writes ?? []).map((write): Write => {
    if (write.op !== 'update' || write.kind !== 'conversations') return write
    return { ...write, set: { ...write.set, ...set } }
  })
  const activity = mergeActivity(ctx, {
    conversation,
    by,
    action,
    changes: { mergedInto: { from: before.mergedInto ?? null, to: conversation.mergedInto } },
  })
  const guard: Write = { op: 'patch', kind: 'conversations', id: before._id, when: { seq: before.seq } }
  return { writes: [...writes, guard, activity], events: change?.events ?? [] }
}

interface TargetOf {
  action: 'merged' | 'unmerged'
  target: Row
  source: Row
  /** As it is after the commit. */
  conversation: Conversation
  set: Partial<ConversationRecord>
}

async function targetChange(
  ctx: HandlerContext,
  { action, target, source, conversation, set }: TargetOf,
): Promise<Change> {
  const { store, ids, now } = ctx
  const mergedWith = source._id
  const customer = await findCustomerOf(store, target.customerId)
  const by = authorOf(ctx.actor)
  const { labels } = changesBetween(withoutVersion(target), conversation)
  // Its activity is not written: the labels are the source's words, and would stay here when that one is deleted.
  const log = changedLog(ctx, { conversation, customer, mergedWith, changes: labels ? { labels } : {}, by })
  const changes = { mergedFrom: { from: target.mergedFrom ?? [], to: conversation.mergedFrom } }
  const nextEventId = () => ids.next('evt')
  const parts = { conversation, customer, mergedWith, nextEventId, now }
  const event = conversationMergeEvent(`conversation.${action}`, parts, changes)
  return {
    writes: [
      { op: 'update', kind: 'conversations', id: target._id, expectVersion: target.version, set },
      mergeActivity(ctx, { conversation, by, action, changes }),
    ],
    events: [...log.events, event],
  }
}

export const handleUnmergeConversation: Handler<typeof unmergeConversation> = async (ctx, { params }) => {
  const { store, now } = ctx
  const source = await store.conversations.find(params.id)
  if (source === undefined) throw notFound()
  const target = await store.conversations.find(source.mergedInto ?? '')
  const { beforeMerge } = source
  if (target === undefined || !beforeMerge)
    throw invalidState('The conversation is not merged', source.status, ['merged'])
  const { addedLabels, ...state } = beforeMerge
  // Nothing is written in a merged conversation; an erasure lowers the counts of both.
  const { messageCount } = source
  const before = { ...source, status: 'closed' as const }
  const conversation = { ...withoutVersion(before), ...state, mergedInto: null, updatedAt: now }
  const changes = changesBetween(withoutVersion(before), conversation)
  const set = { status: state.status, mergedInto: null, beforeMerge: null }
  const ofSource = await ownChange(ctx, { action: 'unmerged', before, conversation, changes, set })
  const added = new Set(addedLabels.map(foldLabel))
  const ofTargetSet = {
    labels: target.labels.filter((label) => !added.has(foldLabel(label))),
    mergedFrom: (target.mergedFrom ?? []).filter((id) => id !== source._id),
    updatedAt: now,
  }
  const facts = await factsWithout(store, { target, source })
  const ofTarget = await targetChange(ctx, {
    action: 'unmerged',
    target,
    source,
    conversation: {
      ...withoutVersion(target),
      ...ofTargetSet,
      ...facts,
      messageCount: target.messageCount - messageCount,
    },
    set: ofTargetSet,
  })
  const reads = await readsAfterUnmerge(ctx, { target, source })
  const writes: Write[] = [
    ...ofSource.writes,
    ...ofTarget.writes,
    {
      op: 'patch',
      kind: 'conversations',
      id: target._id,
      increment: { messageCount: -messageCount },
      set: facts,
      when: { seq: target.seq },
    },
    ...(await labelsOutOfTimeline(store, { target, source, addedLabels })),
    ...reads.writes,
  ]
  return {
    change: { writes, events: [...ofSource.events, ...ofTarget.events] },
    audit: { action: 'conversation.unmerged', target: { type: 'conversation', _id: source._id } },
    reply: { success: true, data: await withUnread(ctx, conversation) },
    live: reads.live,
  }
}
