import type { listConversations } from '@crmkit/core'
import { type FoundPeople, findPeople, searchedParts } from '../../shared/find-people.ts'
import { listedStatuses } from '../../shared/merged-conversation.ts'
import { pageReply } from '../../shared/reply-page.ts'
import { mergedStatus } from '../../storage/kinds/conversations.ts'
import { searchTerms } from '../../storage/search-text.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { userIdOf } from '../signed-in-user.ts'
import { withUnread } from './read-state.ts'

/** How long the customers of a search are looked for. */
const peopleMs = 250
/** How long merged conversations are looked for, and at most how many of them. */
const mergedMs = 250
const mergedMax = 1_000

/** Returns the customers whose conversations a search finds. */
async function findSearchedPeople(
  { store, actor }: Pick<HandlerContext, 'store' | 'actor'>,
  words = '',
): Promise<FoundPeople> {
  return findPeople(store, { words, parts: searchedParts(actor), budgetMs: peopleMs })
}

/** Returns the targets of merged conversations whose subject, or one of whose messages, has all the words. */
async function findMerged(
  { store }: Pick<HandlerContext, 'store'>,
  words = '',
): Promise<{ targets: string[]; isPartial: boolean }> {
  const none = { targets: [], isPartial: false }
  if (searchTerms(words).length === 0) return none
  const statuses = [mergedStatus]
  // Most teams have no merged conversation, and pay nothing.
  const some = await store.conversations.listRows({ status: statuses, page: 1, limit: 1 })
  if (some.rows.length === 0) return none
  const rule = { statuses }
  const query = { words, rule, time: {}, hasFile: false, limit: mergedMax, budgetMs: mergedMs }
  const [own, messages] = await Promise.all([
    store.findMatches('conversations', query),
    store.findMatches('messages', query),
  ])
  const ids = new Set(messages.rows.map(({ conversationId }) => conversationId))
  const byMessage = await Promise.all([...ids].map((id) => store.conversations.find(id)))
  const targets = [...own.rows, ...byMessage].flatMap((row) => row?.mergedInto ?? [])
  const isFull = [own, messages].some(({ rows }) => rows.length >= mergedMax)
  return { targets: [...new Set(targets)], isPartial: isFull || own.isPartial || messages.isPartial }
}

export const handleListConversations: Handler<typeof listConversations> = async (ctx, { query }) => {
  const assignedTo = userIdOf(ctx, { field: 'assignedTo', value: query.assignedTo })
  const [{ people, isPartial }, merged] = await Promise.all([
    findSearchedPeople(ctx, query.search),
    findMerged(ctx, query.search),
  ])
  const searchedCustomers = people.map(({ _id }) => _id)
  const found = await ctx.store.conversations.list({
    ...query,
    status: query.status ?? listedStatuses,
    assignedTo,
    searchedCustomers,
    searchedConversations: merged.targets,
  })
  const page = { ...found, totalIsEstimate: found.totalIsEstimate || isPartial || merged.isPartial }
  // Reads by id, all in one tick: MongoDB gets them as one command.
  const rows = await Promise.all(page.rows.map((row) => withUnread(ctx, row)))
  return { reply: pageReply({ ...page, rows }, query) }
}
