import { emptyMessageEmail } from '@crmkit/core'
import type { Filter } from '../../../src/storage/kinds/define-kind.ts'
import { rulesOf } from '../../../src/storage/kinds/derive.ts'
import { needsYouUntil } from '../../../src/storage/kinds/inbound-mails.ts'
import { kinds, type ListedKind } from '../../../src/storage/kinds/registry.ts'
import type { Document, TenantId } from '../../../src/storage/records.ts'
import { fileOfKind } from './derived-row.contract.ts'
import { at, sample } from './samples.contract.ts'

/** Two rows, of which a filter finds one. */
export interface FilterCase {
  readonly filter: string
  /** Fields of the row that is found, and of the one that is not. */
  readonly hit: object
  readonly miss: object
  /** Returns the value of the filter, given both rows. */
  asked(hit: Document, miss: Document): unknown
}

function named(firstName: string): object {
  return { profile: { firstName, lastName: 'Smith', email: null, phone: null, company: null } }
}

function withEmail(email: string): object {
  return { profile: { firstName: 'Ada', lastName: 'Smith', email, phone: null, company: null } }
}

const mailOfBefore = { ...emptyMessageEmail, messageId: 'first@example.com' }

/** A mail that claims to be a stored one. */
const copy = { status: 'ignored', reason: 'duplicate', duplicateOf: 'mail_1' } as const

/** Rows for filters on derived values, which the declaration alone cannot make. */
const ownCases: Readonly<Record<string, Omit<FilterCase, 'filter'>>> = {
  'customers.search': {
    hit: named('Zebra'),
    miss: named('Horse'),
    asked: () => 'smith ZEB',
  },
  'conversations.search': {
    hit: { subject: 'Zebra keeper' },
    miss: { subject: 'Horse keeper' },
    asked: () => 'ZEBRA keep',
  },
  'customers.email': {
    hit: withEmail('Ada@Example.com'),
    miss: withEmail('ada@example.org'),
    asked: () => 'ada@example.com',
  },
  // An import keeps the time of the source in `updatedAt`.
  'customers.updatedSince': {
    hit: { updatedAt: at(5), importedAt: at(20) },
    miss: { updatedAt: at(10), importedAt: at(9) },
    asked: () => at(15),
  },
  'conversations.updatedSince': {
    hit: { updatedAt: at(5), importedAt: at(20) },
    miss: { updatedAt: at(10), importedAt: at(9) },
    asked: () => at(15),
  },
  'conversations.waiting': {
    hit: { waitingSince: at(5), status: 'open' },
    miss: { waitingSince: at(5), status: 'closed' },
    asked: () => true,
  },
  'importLinks.madeRows': {
    hit: { madeBy: 'imp_1', entityKind: 'customers' },
    miss: { madeBy: 'imp_1', entityKind: 'calls' },
    asked: () => 'imp_1 customers',
  },
  'inboundMails.unlinkedSender': {
    hit: { conversationId: null, from: null, envelope: { from: 'Ada@Example.com', to: [] } },
    miss: { conversationId: 'con_1', from: 'ada@example.com' },
    asked: () => 'ada@example.com',
  },
  'inboundMails.needsYou': {
    hit: { status: 'parked' },
    miss: { status: 'ignored', reason: 'duplicate', duplicateOf: null },
    asked: () => 'yes',
  },
  'inboundMails.needsYouAt': {
    hit: { ...copy, receivedAt: at(20) },
    miss: { ...copy, receivedAt: at(10) },
    asked: () => needsYouUntil({ ...copy, receivedAt: at(15) }),
  },
  'calls.fromTail': {
    hit: { from: '+49 (0)151 2345-6789' },
    miss: { from: '+4915123456780', to: '+4915123456789' },
    asked: () => '23456789',
  },
  'calls.toTail': {
    hit: { to: '0151 23456788' },
    miss: { to: '3456788', from: '+4915123456788' },
    asked: () => '23456788',
  },
  'tasks.erasedAddress': {
    hit: { type: 'eraseAddress', targetId: 'ada@example.com' },
    miss: { type: 'eraseMails', targetId: 'ada@example.com' },
    asked: () => 'ada@example.com',
  },
  'customerMerges.mergedSource': {
    hit: { state: 'merged', sourceId: 'cus_source' },
    miss: { state: 'page', sourceId: 'cus_source' },
    asked: () => 'cus_source',
  },
  'customerMerges.pageOf': {
    hit: { state: 'page', mergeId: 'mrg_1' },
    miss: { state: 'merged', mergeId: 'mrg_1' },
    asked: () => 'mrg_1',
  },
  'customerMerges.undoneWith': {
    hit: { state: 'merged', runId: 'imp_1' },
    miss: { state: 'returned', runId: 'imp_1' },
    asked: () => 'imp_1',
  },
  'doors.state': {
    hit: { failingSince: '2026-01-01T00:00:00.000Z' },
    miss: { failingSince: null },
    asked: () => 'failing',
  },
  'drafts.basisEmail': {
    hit: { basis: { door: 'chat', from: null, customerEmail: 'basis@example.com' }, authorId: 'usr_basis' },
    miss: {
      basis: { door: 'chat', from: null, customerEmail: null },
      authorId: 'usr_basis',
      conversationId: 'con_basis',
    },
    asked: () => 'basis@example.com',
  },
  'drafts.unsentOf': {
    hit: { sendError: 'REPLIED', authorId: 'usr_unsent' },
    // An author has one draft in a conversation.
    miss: { sendError: null, authorId: 'usr_unsent', conversationId: 'con_other' },
    asked: () => 'usr_unsent',
  },
  'drafts.plannedOf': {
    hit: { sendAt: '2026-01-01T00:00:00.000Z', authorId: 'usr_planned' },
    miss: { sendAt: null, authorId: 'usr_planned', conversationId: 'con_other' },
    asked: () => 'usr_planned',
  },
  'cannedReplies.audience': {
    hit: { isShared: true },
    miss: { isShared: false, ownerId: 'usr_other' },
    asked: () => ['team'],
  },
  // The team has a shortcut once.
  'cannedReplies.ownerId': {
    hit: { ownerId: 'usr_owner' },
    miss: { ownerId: 'usr_other', isShared: false },
    asked: () => 'usr_owner',
  },
  'mentions.unreadOf': {
    hit: { userId: 'usr_named', readAt: null },
    miss: { userId: 'usr_named', readAt: '2026-01-01T00:00:00.000Z' },
    asked: () => 'usr_named',
  },
  'mentions.readOf': {
    hit: { userId: 'usr_named', readAt: '2026-01-01T00:00:00.000Z' },
    miss: { userId: 'usr_named', readAt: null },
    asked: () => 'usr_named',
  },
  'mentions.unreadIn': {
    hit: { userId: 'usr_named', conversationId: 'con_named', readAt: null },
    miss: { userId: 'usr_named', conversationId: 'con_other', readAt: null },
    asked: () => 'usr_named.con_named',
  },
  'views.audience': {
    hit: { isShared: true },
    miss: { isShared: false, ownerId: 'usr_other' },
    asked: () => 'team',
  },
  'activities.userId': {
    hit: { actor: { type: 'user', _id: 'usr_actor', name: null } },
    miss: { actor: { type: 'api', _id: 'usr_actor', name: null } },
    asked: () => 'usr_actor',
  },
  'activities.fromUserId': {
    hit: { changes: { assignedTo: { from: 'usr_from', to: null } } },
    miss: { changes: { assignedTo: { from: null, to: 'usr_from' } } },
    asked: () => 'usr_from',
  },
  'activities.toUserId': {
    hit: { changes: { assignedTo: { from: null, to: 'usr_to' } } },
    miss: { changes: { assignedTo: { from: 'usr_to', to: null } } },
    asked: () => 'usr_to',
  },
  'customerNotes.userId': {
    hit: { author: { type: 'user', _id: 'usr_author', name: null } },
    miss: { author: { type: 'api', _id: 'usr_author', name: null } },
    asked: () => 'usr_author',
  },
  'customers.lastContactSince': {
    hit: { lastContactAt: at(20) },
    miss: { lastContactAt: null },
    asked: () => at(15),
  },
  'customers.lastContactUntil': {
    hit: { lastContactAt: at(10) },
    miss: { lastContactAt: at(20) },
    asked: () => at(15),
  },
  'messages.authorId': {
    hit: { sender: { type: 'customer', _id: 'cus_author', name: null } },
    miss: { sender: { type: 'user', _id: 'cus_author', name: null } },
    asked: () => 'cus_author',
  },
  'messages.userId': {
    hit: { sender: { type: 'user', _id: 'usr_author', name: null } },
    miss: { sender: { type: 'customer', _id: 'usr_author', name: null } },
    asked: () => 'usr_author',
  },
  'messages.drafterId': {
    hit: { draftedBy: { type: 'user', _id: 'usr_drafter', name: null } },
    miss: { draftedBy: { type: 'api', _id: 'usr_drafter', name: null } },
    asked: () => 'usr_drafter',
  },
  'messages.rfcMessageId': {
    hit: { externalId: 'package:zendesk:acme:messages:1', email: mailOfBefore },
    miss: { externalId: null, email: mailOfBefore },
    asked: () => 'first@example.com',
  },
  'auditLog.actorUserId': {
    hit: { actor: { type: 'user', _id: 'usr_actor' } },
    miss: { actor: { type: 'apiKey', _id: 'usr_actor' } },
    asked: () => 'usr_actor',
  },
  'auditLog.targetUserId': {
    hit: { target: { type: 'user', _id: 'usr_target' } },
    miss: { target: { type: 'customer', _id: 'usr_target' } },
    asked: () => 'usr_target',
  },
}

function valuesOf(kind: ListedKind, column: string): [unknown, unknown] {
  const { list, computed } = rulesOf(kind)
  if (computed?.[column]) {
    throw new TypeError(
      `A list of ${kind} is filtered by ${column}, which is computed (${fileOfKind(kind)}): say in ` +
        'packages/server/test/contracts/storage/list-cases.contract.ts which rows it finds',
    )
  }
  const { ranges } = list ?? {}
  if (ranges?.by === column) return [ranges.values[0], ranges.values[1]]
  const fields: Readonly<Record<string, { type: string } | undefined>> = kinds[kind].fields
  if (fields[column]?.type === 'flag') return [true, false]
  return fields[column]?.type === 'number' ? [1, 2] : ['value_a', 'value_b']
}

function casesOfMatch(
  kind: ListedKind,
  filter: string,
  { matches, none }: { matches: string; none?: string },
) {
  const [one, other] = valuesOf(kind, matches)
  const found = { filter, hit: { [matches]: one }, miss: { [matches]: other }, asked: () => one }
  const empty = { filter, hit: { [matches]: null }, miss: { [matches]: one }, asked: () => none }
  return none === undefined ? [found] : [found, empty]
}

/** A row whose lists are empty has no labels. */
function withoutLists(row: Document): object {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => (Array.isArray(value) ? [[name, []]] : [])),
  )
}

function searchedWord(kind: ListedKind, hit: Document, miss: Document): string {
  const { searchText } = rulesOf(kind)
  const words = (row: Document) => (searchText?.(row) ?? '').split(/[^\p{L}\p{N}]+/u)
  const others = new Set(words(miss))
  const [word] = words(hit).filter((found) => found.length > 2 && !others.has(found))
  if (word === undefined) throw new TypeError(`${fileOfKind(kind)}: no text of the sample is searched`)
  return word
}

function casesOf(kind: ListedKind, filter: string, rule: Filter<string>): FilterCase[] {
  const own = ownCases[`${kind}.${filter}`]
  if (own) return [{ filter, ...own }]
  if ('matches' in rule) return casesOfMatch(kind, filter, rule)
  if ('oneOf' in rule) {
    const [one, other] = valuesOf(kind, rule.oneOf)
    return [{ filter, hit: { [rule.oneOf]: one }, miss: { [rule.oneOf]: other }, asked: () => [one] }]
  }
  if ('since' in rule) {
    return [{ filter, hit: { [rule.since]: at(20) }, miss: { [rule.since]: at(10) }, asked: () => at(15) }]
  }
  if ('until' in rule) {
    return [{ filter, hit: { [rule.until]: at(10) }, miss: { [rule.until]: at(20) }, asked: () => at(15) }]
  }
  if ('splits' in rule) throw new TypeError(`${fileOfKind(kind)}: say above which rows ${filter} finds`)
  if ('ids' in rule) return [{ filter, hit: {}, miss: {}, asked: ({ _id }) => [_id] }]
  if ('searches' in rule) {
    return [{ filter, hit: {}, miss: {}, asked: (hit, miss) => searchedWord(kind, hit, miss) }]
  }
  const row = sample[kind]('ten_1' as TenantId) as Document
  const [label] = rulesOf(kind).labels?.(row) ?? []
  if (label === undefined) throw new TypeError(`${fileOfKind(kind)}: the sample of ${kind} has no label`)
  const asked = () => (rule.labels === 'all' ? [label] : label)
  return [{ filter, hit: {}, miss: withoutLists(row), asked }]
}

/** Returns rows for every filter of a list, as it is declared. */
export function filterCases(kind: ListedKind): FilterCase[] {
  const filters = Object.entries(rulesOf(kind).list?.filters ?? {})
  return filters.flatMap(([filter, rule]) => casesOf(kind, filter, rule))
}

/** Returns the filter without which the list cannot be asked for, and the rows that it finds. */
export function neededCase(kind: ListedKind): FilterCase | undefined {
  const needed = rulesOf(kind).list?.needsOneOf ?? []
  return filterCases(kind).find(({ filter }) => needed.includes(filter))
}
