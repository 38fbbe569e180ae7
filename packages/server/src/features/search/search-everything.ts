import {
  type CustomerMatch,
  Failure,
  type SearchGroup,
  type searchEverything,
  searchGroups,
  validationFailure,
} from '@crmkit/core'
import { customerOfRecord } from '../../shared/customer-of-record.ts'
import { findPeople } from '../../shared/find-people.ts'
import { peopleOfPhone, readPhone } from '../../shared/people-of-phone.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import type { Stored } from '../../storage/records.ts'
import { matchesText, type PersonPart, personText, searchTerms } from '../../storage/search-text.ts'
import { phoneTail } from '../../storage/sort-keys.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { findConversationMatches } from './find-conversation-matches.ts'
import { findMessageMatches } from './find-message-matches.ts'
import { type ParsedSearch, parseSearch } from './parse-search.ts'
import { type ResolvedSearch, resolveSearch } from './resolve-search.ts'

/** The parts of the quarter of a second that a group has: the customers of `from:`, and then its own rows. */
const resolveMs = 50
const groupMs = 200

const wholeText = ['name', 'email', 'phone', 'company'] as const

/** Returns the first part of a customer in which a word of the search occurs. */
function matchedPart(customer: CustomerRecord, words: string): PersonPart {
  const terms = searchTerms(words)
  const has = (part: PersonPart) => terms.some((term) => matchesText(personText(customer, [part]), [term]))
  return wholeText.find(has) ?? 'phone'
}

function hasConversationOperators(search: ParsedSearch): boolean {
  const { label, assigned, statuses, isUnread, isUnassigned, isWaiting, hasFile, since, before } = search
  const lists = [search.in, label, assigned, statuses]
  return (
    lists.some((values) => values.length > 0) ||
    [isUnread, isUnassigned, isWaiting, hasFile].some(Boolean) ||
    !!since ||
    !!before
  )
}

interface Found<T> {
  rows: T[]
  isPartial: boolean
}

/** Returns customers by words, or those of `from:` alone. Other operators speak of conversations, so they find no customer. */
async function findCustomerMatches(
  { store }: Pick<HandlerContext, 'store'>,
  search: ParsedSearch,
  limit: number,
): Promise<Found<CustomerMatch>> {
  const isFromAlone = search.words === '' && search.from.length > 0
  const words = isFromAlone ? search.from.join(' ') : search.words
  if (hasConversationOperators(search) || (search.from.length > 0 && !isFromAlone))
    return { rows: [], isPartial: false }
  const searches = isFromAlone ? search.from : [words]
  const parts = isFromAlone ? (['name', 'email'] as const) : wholeText
  const phone = phoneTail(words) === null ? null : await readPhone(store, words)
  const [byPhone, ...found] = await Promise.all([
    phone === null ? [] : peopleOfPhone(store, phone),
    ...searches.map((one) => findPeople(store, { words: one, parts, budgetMs: groupMs })),
  ])
  const people = new Map<string, Stored<CustomerRecord>>()
  for (const person of [...byPhone, ...found.flatMap((one) => one.people)]) people.set(person._id, person)
  const rows = [...people.values()].slice(0, limit).map((person) => ({
    customer: customerOfRecord(person),
    matched: matchedPart(person, words),
  }))
  // A group that is full was asked for no more.
  return { rows, isPartial: people.size < limit && found.some((one) => one.isPartial) }
}

const nothing = { rows: null, isPartial: false }

/** Throws PERMISSION_DENIED for customers that are asked for by name and may not be read. */
function groupsOf({ actor }: Pick<HandlerContext, 'actor'>, asked: readonly SearchGroup[] | undefined) {
  const mayReadCustomers = actor.permissions.includes('read:customers')
  if (asked?.includes('customers') && !mayReadCustomers) {
    const required = 'read:customers'
    throw new Failure('PERMISSION_DENIED', `A search of customers needs the permission ${required}`, {
      extra: { required, granted: actor.permissions },
    })
  }
  return new Set(asked ?? searchGroups.filter((group) => group !== 'customers' || mayReadCustomers))
}

/** Throws VALIDATION_ERROR for a search of files alone: every message would have to be looked at. */
function assertHasWords({ words, hasFile }: ParsedSearch): void {
  if (words !== '' || !hasFile) return
  const message = 'must have words beside has:file'
  throw validationFailure([{ field: 'q', message, rule: 'required', in: 'query' }])
}

export const handleSearchEverything: Handler<typeof searchEverything> = async (ctx, { query }) => {
  const groups = groupsOf(ctx, query.types)
  const search = parseSearch(query.q)
  assertHasWords(search)
  const resolved: ResolvedSearch = await resolveSearch(ctx, search, resolveMs)
  const asked = { search, rule: resolved.rule, limit: query.limit, budgetMs: groupMs }
  const [customers, conversations, messages] = await Promise.all([
    groups.has('customers') ? findCustomerMatches(ctx, search, query.limit) : nothing,
    groups.has('conversations') ? findConversationMatches(ctx, asked) : nothing,
    groups.has('messages') ? findMessageMatches(ctx, asked) : nothing,
  ])
  return {
    reply: {
      success: true,
      data: {
        customers: customers.rows,
        conversations: conversations.rows,
        messages: messages.rows,
        isPartial: {
          customers: customers.isPartial,
          conversations: groups.has('conversations') && (conversations.isPartial || resolved.isPartial),
          messages: groups.has('messages') && (messages.isPartial || resolved.isPartial),
        },
      },
    },
  }
}
