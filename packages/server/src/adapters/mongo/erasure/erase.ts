import type { StoredMessage } from '@crmkit/core'
import { createIdFactory, foldedFacts, foldedMessagesMax } from '@crmkit/core/vocabulary'
import type { ErasurePage, MentionsPage } from '../../../ports/storage.ts'
import { isoTime } from '../../../shared/clock.ts'
import { passFaultPoint } from '../../../shared/fault-points.ts'
import type { ConversationRecord } from '../../../storage/kinds/conversations.ts'
import type { CustomerRecord } from '../../../storage/kinds/customers.ts'
import { childKindsOf, releasedWith } from '../../../storage/kinds/derive.ts'
import type { ImportLinkRecord } from '../../../storage/kinds/import-links.ts'
import type { ErasedKind, Kind, OwnedKind } from '../../../storage/kinds/registry.ts'
import type { TenantId } from '../../../storage/records.ts'
import {
  deletionTypes,
  erasedBody,
  erasedPerCommitMax,
  erasedText,
  erasedWords,
  erasureTask,
  leftoverOf,
  withoutWords,
} from '../../../storage/rules/erased.ts'
import { erasedLinks, hasExternalIds } from '../../../storage/rules/erased-links.ts'
import { figureMarkOfErasure } from '../../../storage/rules/figure-marks.ts'
import type { CollectionAccess, Database, StoredRow } from '../connection/access.ts'
import { holds, isNoneOf, isOneOf, until } from '../connection/filters.ts'
import { inTransaction, pageSizeOf } from '../connection/transaction.ts'
import { decodeRow, encodeValue } from '../rows/encode-row.ts'
import { ruleOf } from '../rows/kinds.ts'
import { createRowWriter, type RowWriter } from '../rows/row-writer.ts'

export interface Erasure {
  kind: ErasedKind
  id: string
  at: string
}

/** The part of an erasure that one commit does; `left` decreases with every row, event, attempt and reply. */
interface Page {
  tenantId: string
  access: CollectionAccess
  rows: RowWriter
  at: string
  left: number
}

/** Events and replies about subjects. */
interface Mentions {
  subjects: readonly string[]
  /** Only what holds the text; null for all. */
  naming: string | null
}

interface ChildRows {
  kind: OwnedKind
  found: StoredRow[]
}

interface RowIds {
  kind: Kind
  ids: readonly string[]
}

interface EraseParts {
  tenantId: string
  access: CollectionAccess
  rows: RowWriter
  /** The number of the transaction's try, from 1. */
  tries: number
}

const ids = createIdFactory(() => Date.now())

function idsOf(rows: readonly StoredRow[]): string[] {
  return rows.map(({ id }) => id)
}

/** Returns the ids of the customer and of the customers that were merged into it. */
async function subjectsOf(access: CollectionAccess, { kind, id }: Erasure): Promise<string[]> {
  const [found] = kind === 'customers' ? await access.find('customers', access.one(id)) : []
  const { mergedFrom = [] } = found ? decodeRow<Partial<CustomerRecord>>(found.row) : {}
  return [...new Set([id, ...mergedFrom])]
}

/** Ends the pending attempts of these events; returns whether the page is not full afterwards. */
async function endAttempts(page: Page, eventIds: readonly string[]): Promise<boolean> {
  const { access } = page
  const pending = { ...isOneOf('row.eventId', eventIds), 'row.status': 'pending' }
  const attempts = await access.find('attempts', pending, { fields: ['id'], limit: page.left })
  if (attempts.length === 0) return true
  const ended = access.among(idsOf(attempts))
  await access.remove('dueAttempts', ended)
  await access.update('attempts', ended, {
    $set: {
      'row.status': 'failed',
      'row.errorCode': 'ERASED',
      'row.error': erasedText,
      'row.deliveredAt': page.at,
      'row.nextAttemptAt': null,
    },
  })
  page.left -= attempts.length
  return page.left > 0
}

/** Reduces events to their `erased` form and deletes their subjects: they hold nothing more to erase. */
async function redactEvents(page: Page, { subjects, naming }: Mentions): Promise<void> {
  const { access } = page
  const named = naming === null ? [] : [until('row.timestamp', page.at), holds('$row.body', naming)]
  const filter = { $and: [isOneOf('subjects', subjects), ...isNoneOf('row.type', deletionTypes), ...named] }
  const events = await access.find('events', filter, { fields: ['id', 'row.body'], limit: page.left })
  if (events.length === 0) return
  if (
    !(await endAttempts(
      page,
      events.map(({ id }) => id),
    ))
  )
    return
  const redacted = events.slice(0, page.left)
  const eventIds = idsOf(redacted)
  const bodies = redacted.map(({ row }) => erasedBody(String(row['body'])))
  const body = { $arrayElemAt: [{ $literal: bodies }, { $indexOfArray: [{ $literal: eventIds }, '$id'] }] }
  const none = { $literal: encodeValue([]) }
  const stages = [{ $set: { 'row.body': body, 'row.subjects': none, subjects: [] } }]
  await access.update('events', access.among(eventIds), stages)
  page.left -= redacted.length
}

async function removeReplies(page: Page, { subjects, naming }: Mentions): Promise<void> {
  const { access, rows, left } = page
  const named = naming === null ? [] : [holds('$row.reply', naming)]
  const filter = { $and: [isOneOf('subjects', subjects), ...named] }
  const found = await access.find('idempotency', filter, { fields: ['id'], limit: left })
  if (found.length === 0) return
  await rows.removeAll('idempotency', idsOf(found))
  page.left -= found.length
}

/** Redacts the events and deletes the idempotency replies about the subjects. */
async function forget(page: Page, subjects: readonly string[], naming: string | null = null): Promise<void> {
  // Repeated, because each event of a full page may have several subjects, and more events may follow.
  for (let before = Number.POSITIVE_INFINITY; page.left > 0 && page.left < before; ) {
    before = page.left
    await redactEvents(page, { subjects, naming })
    if (page.left > 0) await removeReplies(page, { subjects, naming })
  }
}

/** Lowers the message count of conversations that are not erased, and of those that they are merged into. */
async function lowerMessageCounts(access: CollectionAccess, messages: readonly StoredRow[]): Promise<void> {
  for (const [id, ofOne] of Map.groupBy(messages, ({ row }) => String(row['conversationId']))) {
    const messageCount = { $subtract: ['$row.messageCount', ofOne.length] }
    const lower = (one: string) =>
      access.update('conversations', access.one(one), [{ $set: { 'row.messageCount': messageCount } }])
    await lower(id)
    const [found] = await access.find('conversations', access.one(id), { fields: ['row.mergedInto'] })
    const target = found?.row['mergedInto']
    if (typeof target === 'string') await lower(target)
  }
}

/** The rest of conversations that are not erased says what their last messages are. */
async function foldAgain({ access, rows }: Page, messages: readonly StoredRow[]): Promise<void> {
  for (const id of new Set(messages.map(({ row }) => String(row['conversationId'])))) {
    const [found] = await access.find('conversations', access.one(id))
    if (!found) continue
    const newest = { sort: { 'row.createdAt': -1, id: -1 }, limit: foldedMessagesMax } as const
    const rest = await access.find('messages', { 'row.conversationId': id }, newest)
    const set = foldedFacts(
      decodeRow<ConversationRecord>(found.row),
      rest.map(({ row }) => decodeRow<StoredMessage>(row)),
    )
    await rows.patch({ op: 'patch', kind: 'conversations', id, set })
  }
}

/** Removes what the authors of these messages wrote about the conversations that they began, from all that stays. */
async function removeWords(page: Page, messages: readonly StoredRow[]): Promise<void> {
  const { access, rows } = page
  const ids = new Set(idsOf(messages))
  for (const id of new Set(messages.map(({ row }) => String(row['conversationId'])))) {
    const oldest = { sort: { 'row.createdAt': 1, id: 1 }, limit: 1, fields: ['id'] } as const
    const [first] = await access.find('messages', { 'row.conversationId': id }, oldest)
    if (!ids.has(first?.id ?? '')) continue
    await forget(page, [id])
    if (page.left <= 0) return
    const [begun] = await access.find('conversations', access.one(id), { fields: ['id', 'version'] })
    if (!begun) continue
    await rows.update('conversations', id, { expectVersion: begun.version, set: erasedWords })
    // The timeline repeats what a subject was.
    const renamed = { 'row.conversationId': id, 'row.action': 'subject_changed' }
    await rows.removeAll('activities', idsOf(await access.find('activities', renamed, { fields: ['id'] })))
    // Rows about the conversation itself, and not about its messages.
    const imported = { 'row.conversationId': id, 'row.entityKind': 'conversations' }
    await rows.removeAll('importUndo', idsOf(await access.find('importUndo', imported, { fields: ['id'] })))
    for (const link of await access.find('importLinks', imported)) {
      const importedValues = withoutWords(decodeRow<ImportLinkRecord>(link.row).importedValues)
      await rows.update('importLinks', link.id, { expectVersion: link.version, set: { importedValues } })
    }
  }
}

/** Deletes children before their parents: the parent is how they are found, and how reads know to hide them. */
async function eraseRows(page: Page, { kind, found }: ChildRows, owner: Kind): Promise<void> {
  const parents = { kind, ids: idsOf(found) }
  await eraseChildren(page, parents)
  await forget(page, parents.ids)
  const isOfAuthor = kind === 'messages' && owner === 'customers'
  if (isOfAuthor && page.left > 0) await removeWords(page, found)
  const removed = found.slice(0, Math.max(0, page.left))
  if (removed.length === 0) return
  if (isOfAuthor) await lowerMessageCounts(page.access, removed)
  await removeRows(page, { kind, found: removed })
  if (isOfAuthor) await foldAgain(page, removed)
  page.left -= removed.length
}

/** Keeps a tombstone for each external id, so that a later sync does not create the rows again. */
async function addTombstones(
  { tenantId, access, rows, at }: Page,
  { kind, ids: removed }: RowIds,
): Promise<void> {
  if (!hasExternalIds(kind)) return
  const fields = ['row.externalId', 'row.externalIds', 'row.formerExternalIds']
  const found = await access.find(kind, access.among(removed), { fields })
  const records = found.map(({ row }) => decodeRow<object>(row))
  const links = erasedLinks({ tenantId, kind, at }, records)
  if (links.length === 0) return
  const known = await access.find('erasedLinks', access.among(links.map(({ _id }) => _id)), {
    fields: ['id'],
  })
  const isKnown = new Set(idsOf(known))
  const made = links.filter(({ _id }) => !isKnown.has(_id)).map((link) => ({ ...link }))
  await rows.insert('erasedLinks', made)
}

async function removeRows(page: Page, { kind, found }: ChildRows): Promise<void> {
  const { rows, at } = page
  await addTombstones(page, { kind, ids: idsOf(found) })
  const set = leftoverOf(kind, at)
  if (set === undefined) return rows.removeAll(kind, idsOf(found))
  for (const { id, version: expectVersion } of found) await rows.update(kind, id, { expectVersion, set })
}

async function eraseChildren(page: Page, { kind, ids: owners }: RowIds): Promise<void> {
  for (const childKind of childKindsOf(kind)) {
    const field = ruleOf(childKind).owners?.[kind]
    if (field === undefined) continue
    while (page.left > 0) {
      const options = { fields: ['id', 'version', 'row.conversationId'], limit: page.left }
      const found = await page.access.find(childKind, isOneOf(field, owners), options)
      if (found.length === 0) break
      await eraseRows(page, { kind: childKind, found }, kind)
    }
  }
  await releaseRows(page, { kind, ids: owners })
}

/** Takes the ids out of rows that only name these rows: they stay. */
async function releaseRows(page: Page, { kind, ids: named }: RowIds): Promise<void> {
  for (const [released, field] of releasedWith(kind)) {
    if (page.left <= 0) return
    const options = { fields: ['id', 'version'], limit: page.left }
    const found = await page.access.find(released, isOneOf(`row.${field}`, named), options)
    for (const { id, version: expectVersion } of found)
      await page.rows.update(released, id, { expectVersion, set: { [field]: null } })
    page.left -= found.length
  }
}

/** Erases as many rows of these subjects as the page allows; returns how many. */
async function erasePage(page: Page, subjects: RowIds): Promise<number> {
  const before = page.left
  await eraseChildren(page, subjects)
  await forget(page, subjects.ids)
  passFaultPoint('during-erasure')
  return before - page.left
}

/** Implements the write `erase` of the port. */
export async function beginErasure(
  { tenantId, access, rows, tries }: EraseParts,
  erasure: Erasure,
): Promise<void> {
  const { kind, id, at } = erasure
  const subjects = await subjectsOf(access, erasure)
  const page = { tenantId, access, rows, at, left: pageSizeOf(tries, erasedPerCommitMax) }
  await addTombstones(page, { kind, ids: [id] })
  await rows.remove(kind, id)
  const tasks = subjects.map((subject) => erasureTask({ kind, id: subject, at }, { tenantId, ids }))
  await rows.insert(
    'tasks',
    tasks.map((task) => ({ ...task })),
  )
  const marks = subjects.flatMap((subject) => {
    const mark = figureMarkOfErasure({ tenantId, ids, at: isoTime(Date.now()) }, { kind, id: subject })
    return mark ? [{ ...mark }] : []
  })
  if (marks.length > 0) await rows.insert('figureMarks', marks)
  await erasePage(page, { kind, ids: subjects })
}

async function forgetMentions(
  { tenantId, access, tries }: Omit<EraseParts, 'rows'>,
  { about, naming, at, limit }: MentionsPage,
): Promise<number> {
  const rows = createRowWriter(tenantId, () => access)
  const left = Math.max(1, pageSizeOf(tries, limit))
  const page = { tenantId, access, rows, at, left }
  await forget(page, about, naming)
  return left - page.left
}

/** Implements `eraseNext` of the port. */
export function eraseNext(
  database: Database,
  tenantId: TenantId,
  asked: ErasurePage | MentionsPage,
): Promise<number> {
  return inTransaction(database, async (session, tries) => {
    const access = database.tenant(tenantId, session)
    if ('about' in asked) return forgetMentions({ tenantId, access, tries }, asked)
    const { kind, id, at, limit } = asked
    if ((await access.count('tasks', { 'keys.erases': id }, 1)) === 0) return 0
    const rows = createRowWriter(tenantId, (owner) => database.tenant(owner, session))
    const left = Math.max(1, pageSizeOf(tries, limit))
    return erasePage({ tenantId, access, rows, at, left }, { kind, ids: [id] })
  })
}
