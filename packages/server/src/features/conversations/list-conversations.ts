import type { listConversations } from '@crmkit/core'
import { type FoundPeople, findPeople, searchedParts } from '../../shared/find-people.ts'
import { listedStatuses } from '../../shared/merged-conversation.ts'
import { pageReply } from '../../shared/reply-page.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { userIdOf } from '../signed-in-user.ts'
import { withUnread } from './read-state.ts'

/** How long the customers of a search are looked for. */
const peopleMs = 250

/** Returns the customers whose conversations a search finds. */
async function findSearchedPeople(
  { store, actor }: Pick<HandlerContext, 'store' | 'actor'>,
  words = '',
): Promise<FoundPeople> {
  return findPeople(store, { words, parts: searchedParts(actor), budgetMs: peopleMs })
}

export const handleListConversations: Handler<typeof listConversations> = async (ctx, { query }) => {
  const assignedTo = userIdOf(ctx, { field: 'assignedTo', value: query.assignedTo })
  const { people, isPartial } = await findSearchedPeople(ctx, query.search)
  const searchedCustomers = people.map(({ _id }) => _id)
  const found = await ctx.store.conversations.list({
    ...query,
    status: query.status ?? listedStatuses,
    assignedTo,
    searchedCustomers,
  })
  const page = { ...found, totalIsEstimate: found.totalIsEstimate || isPartial }
  // Reads by id, all in one tick: MongoDB gets them as one command.
  const rows = await Promise.all(page.rows.map((row) => withUnread(ctx, row)))
  return { reply: pageReply({ ...page, rows }, query) }
}
