import type { Conversation, ConversationMatch } from '@crmkit/core'
import { findPeople, searchedParts } from '../../shared/find-people.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { Matches } from '../../storage/match-query.ts'
import type { Stored } from '../../storage/records.ts'
import { withUnread } from '../conversations/read-state.ts'
import { cutGroup, type GroupReader, type GroupSearch, isWanted, matchQueryOf } from './group-search.ts'

type Found = Matches<'conversations'>

const nothing: Found = { rows: [], isPartial: false }

const timeOf = ({ lastMessageAt, createdAt }: Conversation) => lastMessageAt ?? createdAt

/** Returns the conversations of the customers who have all the words: the two reads share the group's time. */
async function findByPeople({ store, actor }: GroupReader, group: GroupSearch): Promise<Found> {
  const { search, rule, budgetMs } = group
  const ms = budgetMs / 2
  const found = await findPeople(store, { words: search.words, parts: searchedParts(actor), budgetMs: ms })
  const allowed = rule.customerIds && new Set(rule.customerIds)
  const ids = found.people.map(({ _id }) => _id).filter((id) => allowed?.has(id) ?? true)
  if (ids.length === 0) return { rows: [], isPartial: found.isPartial }
  const query = { ...matchQueryOf(group), words: '', rule: { ...rule, customerIds: ids }, budgetMs: ms }
  const { rows, isPartial } = await store.findMatches('conversations', query)
  return { rows, isPartial: isPartial || found.isPartial }
}

/** Returns the conversations whose subject has all the words, or whose customer has; by operators alone, the latest ones. */
export async function findConversationMatches(
  reader: GroupReader,
  group: GroupSearch,
): Promise<{ rows: ConversationMatch[]; isPartial: boolean }> {
  // Files are in messages alone.
  if (group.search.hasFile) return { rows: [], isPartial: false }
  const hasWords = group.search.words !== ''
  const [own, people] = await Promise.all([
    reader.store.findMatches('conversations', matchQueryOf(group)),
    hasWords ? findByPeople(reader, group) : nothing,
  ])
  const bySubject = new Set(own.rows.map(({ _id }) => _id))
  const found = new Map<string, Stored<ConversationRecord>>()
  for (const row of [...own.rows, ...people.rows])
    if ((row.mergedInto ?? null) === null) found.set(row._id, row)
  const newest = [...found.values()].sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1))
  const read = await Promise.all(newest.map((row) => withUnread(reader, row)))
  const rows = read
    .filter((conversation) => isWanted(group, conversation))
    .map((conversation) => ({ conversation, matched: matchedOf(conversation._id) }))
  return cutGroup(group, rows, { isPartial: own.isPartial || people.isPartial, read: newest.length })

  function matchedOf(id: string): ConversationMatch['matched'] {
    if (!hasWords) return null
    return bySubject.has(id) ? 'subject' : 'customer'
  }
}
