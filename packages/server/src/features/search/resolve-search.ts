import { foldLabel } from '@crmkit/core'
import { findPeople } from '../../shared/find-people.ts'
import { nameOfUser } from '../../shared/name-of-user.ts'
import { readAll } from '../../shared/read-all.ts'
import type { ConversationRule } from '../../storage/match-query.ts'
import { matchesText, plainSearchText, searchTerms } from '../../storage/search-text.ts'
import type { HandlerContext } from '../handler.ts'
import type { ParsedSearch } from './parse-search.ts'

type Reader = Pick<HandlerContext, 'store' | 'actor'>

export interface ResolvedSearch {
  rule: ConversationRule
  /** Not all customers that `from:` may mean are in the rule. */
  isPartial: boolean
}

const page = { page: 1, limit: 100 }

/** Whether one of the values is the id, or all of its words are in the name. */
function isNamed(values: readonly string[], { _id, name }: { _id: string; name: string }): boolean {
  const text = plainSearchText(name)
  return values.some((value) => value === _id || matchesText(text, searchTerms(value)))
}

async function inboxIdsOf({ store }: Reader, values: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for await (const inbox of readAll((cursor) => store.inboxes.listRows({ ...page, cursor })))
    if (isNamed(values, inbox)) ids.push(inbox._id)
  return ids
}

async function assigneesOf({ store, actor }: Reader, values: readonly string[]): Promise<(string | null)[]> {
  const words = values.map((value) => value.toLowerCase())
  const own = actor.type === 'user' && words.includes('me') ? [actor._id] : []
  const nobody = words.includes('none') ? [null] : []
  const names = values.filter((value) => !['me', 'none'].includes(value.toLowerCase()))
  const ids: string[] = []
  if (names.length > 0) {
    for await (const user of readAll((cursor) => store.users.listRows({ ...page, cursor })))
      if (isNamed(names, { _id: user._id, name: nameOfUser(user) ?? '' })) ids.push(user._id)
  }
  return [...own, ...nobody, ...ids]
}

async function customersOf({ store, actor }: Reader, values: readonly string[], budgetMs: number) {
  const parts = actor.permissions.includes('read:customers')
    ? (['name', 'email'] as const)
    : (['name'] as const)
  const found = await Promise.all(values.map((words) => findPeople(store, { words, parts, budgetMs })))
  return {
    ids: [...new Set(found.flatMap(({ people }) => people.map(({ _id }) => _id)))],
    isPartial: found.some(({ isPartial }) => isPartial),
  }
}

/** Turns the values of operators into ids. An operator that names nothing finds nothing. */
export async function resolveSearch(
  reader: Reader,
  search: ParsedSearch,
  budgetMs: number,
): Promise<ResolvedSearch> {
  const [inboxIds, assignees, people] = await Promise.all([
    search.in.length === 0 ? undefined : inboxIdsOf(reader, search.in),
    search.assigned.length === 0 ? undefined : assigneesOf(reader, search.assigned),
    search.from.length === 0 ? undefined : customersOf(reader, search.from, budgetMs),
  ])
  const nobody = assignees === undefined || assignees.includes(null) ? [null] : []
  return {
    rule: {
      statuses: search.statuses.length === 0 ? undefined : search.statuses,
      inboxIds,
      labels: search.label.length === 0 ? undefined : search.label.map(foldLabel),
      assignedTo: search.isUnassigned ? nobody : assignees,
      customerIds: people?.ids,
      ...(search.isWaiting && { isWaiting: true }),
    },
    isPartial: people?.isPartial ?? false,
  }
}
