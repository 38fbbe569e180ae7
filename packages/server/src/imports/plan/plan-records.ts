import { hash } from 'node:crypto'
import type { RecordModule, SameIdRow, SourceRecord } from '../../ports/connector.ts'
import type { ImportLinkRecord, LinkedKind } from '../../storage/kinds/import-links.ts'
import { CustomerIndex, matchEmail, tailOf } from '../rules/match-customers.ts'
import { draftOf, kindOf, type RecordDraft } from '../rules/record-drafts.ts'
import { rowKey } from './failed-rows.ts'
import { externalIdOf, type ImportContext, linkIdOf } from './import-context.ts'
import { learnAddresses } from './learned-addresses.ts'
import { type CountedRecord, type Outcome, PagePlan, undoIdOf } from './page-plan.ts'
import { planChild } from './plan-child.ts'
import { planConversation } from './plan-conversation.ts'
import { planCustomer } from './plan-customer.ts'
import {
  emailsOf,
  furtherPhonesOf,
  idByEmail,
  inboxModule,
  isUnchanged,
  notesModule,
  type PlannedRecord,
  phoneOf,
  prefixedId,
} from './planned-record.ts'
import type { WorkingSet } from './working-set.ts'

/** More customers than one with a number are too many to decide; the others only have to be noticed. */
export const candidatesPerContact = 20

export interface RecordsToPlan {
  records: readonly SourceRecord[]
  /** Whether this run has counted the record in an earlier page. */
  wasCounted(record: CountedRecord): boolean
  /** Whether nothing was imported from a row of a file, in an earlier page. */
  hasFailed(rowKey: string): boolean
}

/** Reads what the records of a page meet here, and decides what is written. It writes nothing. */
export async function planRecords(
  context: ImportContext,
  set: WorkingSet,
  { records, wasCounted, hasFailed }: RecordsToPlan,
): Promise<PagePlan> {
  const plan = new PagePlan(context, set, wasCounted)
  const { pauses } = set
  const drafts: RecordDraft[] = []
  for (const record of records) {
    drafts.push(draftOf(record))
    if (pauses.isDue()) await pauses.take()
  }
  await loadLinks(context, set, records)
  const people = await indexNamed(context, set, records)
  const erased = await findErased(context, set, records)
  await pauses.takeIfDue()
  const planned: PlannedRecord[] = []
  for (const [index, record] of records.entries()) {
    planned.push(plannedOf({ context, set, erased, people }, record, drafts[index] as RecordDraft))
    if (pauses.isDue()) await pauses.take()
  }
  await loadRows(context, set, planned)
  const index = await indexCustomers(context, set, planned)
  for (const one of planned) {
    const link = linkOf(context, set, one.record)
    // The record may come twice in a page: the second time it meets the link that the first one made.
    const { record } = one
    const current = { ...one, link, customerId: personOf(context, set, record) ?? one.customerId }
    if (!isRepeat(plan, record, hasFailed)) planRecord(plan, index, current)
    if (pauses.isDue()) await pauses.take()
  }
  await learnAddresses(plan)
  finishLinks(plan)
  plan.keepLinksForUndo()
  return plan
}

/** Returns the record itself, and the people and the parent that it names. */
export function linksOf(record: SourceRecord): { module: RecordModule; id: string }[] {
  const { module, id, otherIds = [], person, parent, author, mergedIds = [] } = record
  return [
    ...(author?.id ? [{ module: 'Contacts' as const, id: author.id }] : []),
    { module, id },
    ...otherIds.map((other) => ({ module, id: other })),
    ...mergedIds.map((merged) => ({ module, id: merged })),
    ...(person ? [person] : []),
    ...(parent ? [parent] : []),
  ]
}

async function loadLinks(
  context: ImportContext,
  set: WorkingSet,
  records: readonly SourceRecord[],
): Promise<void> {
  const ids = records.flatMap((record) => linksOf(record).map((link) => linkIdOf(context, link)))
  await set.load('importLinks', ids)
}

/** Returns the external ids of records that were imported once and erased here. */
async function findErased(
  context: ImportContext,
  set: WorkingSet,
  records: readonly SourceRecord[],
): Promise<ReadonlySet<string>> {
  const unknown = records.filter((record) => !linkOf(context, set, record))
  const byKind = Map.groupBy(unknown, ({ module }) => kindOf(module))
  const found = await Promise.all(
    [...byKind].map(([kind, some]) => {
      const externalIds = some.flatMap((record) => externalIdsOf(context, record))
      return context.store.erasedLinks.listAmong({ kind, externalIds })
    }),
  )
  return new Set(found.flat())
}

/** Reads the customers whom records name by an e-mail address. */
async function indexNamed(
  { defaultCountry }: ImportContext,
  set: WorkingSet,
  records: readonly SourceRecord[],
): Promise<CustomerIndex> {
  const index = new CustomerIndex(defaultCountry)
  const named = records.flatMap(({ personEmail, author }) => [personEmail, author?.email])
  const emails = [...new Set(named.flatMap((email) => (email ? [matchEmail(email)] : [])))]
  if (emails.length === 0) return index
  const owners = await set.loadOwners(emails, candidatesPerContact)
  const customers = await set.loadByContact({ emails, phoneTails: [], limit: candidatesPerContact })
  for (const customer of customers) index.add(customer)
  for (const owner of owners) if (set.find('customers', owner.customerId)) index.addOwner(owner)
  return index
}

/** Returns the one customer who has an e-mail address; null for none, and for several. */
function customerOfEmail(people: CustomerIndex, email: string | null | undefined): string | null {
  if (!email) return null
  const name = { firstName: null, lastName: null }
  const match = people.match({ emails: [email], phone: null, name })
  return match.type === 'one' ? match.customerId : null
}

function externalIdsOf(context: ImportContext, { module, id, otherIds = [] }: SourceRecord): string[] {
  return [id, ...otherIds].map((one) => externalIdOf(context, { module, id: one }))
}

/**
 * Returns the link of a record. A row without an id is found by further ids too; what this run has tied to one of them is another row,
 * which it may only join.
 */
function linkOf(
  context: ImportContext,
  set: WorkingSet,
  { module, id, otherIds }: SourceRecord,
): ImportLinkRecord | undefined {
  const own = set.find('importLinks', linkIdOf(context, { module, id }))
  if (otherIds === undefined) return own
  const others = otherIds.map((other) => set.find('importLinks', linkIdOf(context, { module, id: other })))
  return [own, ...others].find((link) => link !== undefined && link.lastRunId !== context.runId)
}

interface Lookups {
  people: CustomerIndex
  context: ImportContext
  set: WorkingSet
  erased: ReadonlySet<string>
}

/** Returns the customer of a record; null when the source names none, or none that is known here. */
function personOf(
  context: ImportContext,
  set: WorkingSet,
  { person }: Pick<SourceRecord, 'person'>,
): string | null {
  if (person === null) return null
  const link = set.find('importLinks', linkIdOf(context, person))
  return link?.entityKind === 'customers' ? link.entityId : null
}

function plannedOf(
  { context, set, erased, people }: Lookups,
  record: SourceRecord,
  draft: RecordDraft,
): PlannedRecord {
  const externalId = externalIdOf(context, record)
  const linkId = linkIdOf(context, record)
  const parent = record.parent ? set.find('importLinks', linkIdOf(context, record.parent)) : undefined
  const customerId = personOf(context, set, record) ?? customerOfEmail(people, record.personEmail)
  const { author } = record
  const contact = author?.id ? { module: 'Contacts' as const, id: author.id } : null
  const authorId = personOf(context, set, { person: contact }) ?? customerOfEmail(people, author?.email)
  const tied = JSON.stringify([draft.hash, customerId, parent?.entityId ?? null])
  return {
    record,
    draft,
    externalId,
    externalIds: [record.id, idByEmail(record)].flatMap((id) =>
      id === undefined ? [] : [externalIdOf(context, { module: record.module, id })],
    ),
    linkId,
    link: linkOf(context, set, record),
    customerId,
    authorId,
    parent,
    hash: draft.kind === 'customers' ? draft.hash : hash('sha256', tied, 'base64url'),
    isErased: externalIdsOf(context, record).some((one) => erased.has(one)),
  }
}

type RowRef = readonly [kind: LinkedKind, id: string]

/** Returns the rows that a record may change or hang on. */
function refsOf(context: ImportContext, set: WorkingSet, planned: PlannedRecord): RowRef[] {
  const { link, parent, customerId, authorId, record, draft } = planned
  const merged = (record.mergedIds ?? []).map((id) =>
    set.find('importLinks', linkIdOf(context, { module: record.module, id })),
  )
  const linked = [link, parent, ...merged].flatMap((one) =>
    one ? [[one.entityKind, one.entityId] as const] : [],
  )
  const person = [customerId, authorId].flatMap((id) => (id === null ? [] : [['customers', id] as const]))
  const isPreserved = context.selection.preserveIds && !link
  const wanted = isPreserved ? [record.id, prefixedId(record)].map((id) => [draft.kind, id] as const) : []
  return [...linked, ...person, ...wanted]
}

/** Reads the rows that the records may change or hang on. Unchanged records need none. */
async function loadRows(
  context: ImportContext,
  set: WorkingSet,
  planned: readonly PlannedRecord[],
): Promise<void> {
  const changed = planned.filter((one) => !isUnchanged(one))
  const refs = changed.flatMap((one) => refsOf(context, set, one))
  const byKind = Map.groupBy(refs, ([kind]) => kind)
  for (const [kind, found] of byKind) {
    await set.load(
      kind,
      found.map(([, id]) => id),
    )
  }
  await loadForChildren(context, set, changed)
  if (context.isDryRun) return
  const undos = changed.flatMap(({ link, parent, record }) =>
    [link, record.fields.isReply ? parent : undefined].flatMap((one) =>
      one ? [undoIdOf({ runId: context.runId, kind: one.entityKind, id: one.entityId })] : [],
    ),
  )
  await set.load('importUndo', undos)
}

/** Reads the inbox of imported conversations, and the conversations of notes about customers. */
async function loadForChildren(
  context: ImportContext,
  set: WorkingSet,
  changed: readonly PlannedRecord[],
): Promise<void> {
  const isNeeded = changed.some(({ draft }) => draft.kind === 'conversations' || draft.kind === 'messages')
  if (!isNeeded) return
  const inboxLink = linkIdOf(context, { module: inboxModule, id: 'inbox' })
  const customers = changed.flatMap(({ parent }) =>
    parent?.entityKind === 'customers' ? [parent.entityId] : [],
  )
  const noteLinks = customers.map((id) => linkIdOf(context, { module: notesModule, id }))
  await set.load('importLinks', [inboxLink, ...noteLinks])
  const idsOf = (links: readonly string[]) =>
    links.flatMap((id) => set.find('importLinks', id)?.entityId ?? [])
  await set.load('inboxes', idsOf([inboxLink]))
  await set.load('conversations', idsOf(noteLinks))
}

async function indexCustomers(
  { defaultCountry, isDryRun, runId }: ImportContext,
  set: WorkingSet,
  planned: readonly PlannedRecord[],
): Promise<CustomerIndex> {
  const index = new CustomerIndex(defaultCountry)
  const people = planned.filter(({ draft, link }) => draft.kind === 'customers' && link === undefined)
  if (people.length === 0) return index
  const emails = people.flatMap(({ draft }) => emailsOf(draft).map(matchEmail))
  const [phones, tails]: [string[], string[]] = [[], []]
  for (const { draft } of people) {
    const phone = phoneOf(draft, defaultCountry)
    if (phone !== null) tails.push(...tailOf(draft.values['profile.phone'] as string))
    // Further numbers find nobody. Their rows say which of them a customer had once.
    phones.push(...(phone === null ? [] : [phone]), ...furtherPhonesOf(draft, defaultCountry))
    if (set.pauses.isDue()) await set.pauses.take()
  }
  const owners = await set.loadOwners([...new Set([...emails, ...phones])], candidatesPerContact)
  // It returns all customers of the set, and so the owners of further addresses and numbers too.
  const customers = await set.loadByContact({
    emails: [...new Set(emails)],
    phoneTails: [...new Set(tails)],
    limit: candidatesPerContact,
  })
  for (const customer of customers) {
    index.add(customer)
    if (set.pauses.isDue()) await set.pauses.take()
  }
  for (const owner of owners) if (set.find('customers', owner.customerId)) index.addOwner(owner)
  if (!isDryRun) {
    await set.load(
      'importUndo',
      customers.map(({ _id }) => undoIdOf({ runId, kind: 'customers', id: _id })),
    )
  }
  return index
}

/** Reports a row of a file whose id another row has that is here already. Nothing is written for it. */
function isRepeat(plan: PagePlan, record: SourceRecord, hasFailed: (rowKey: string) => boolean): boolean {
  const { module, id, row, sameId } = record
  if (row === null || sameId === undefined) return false
  const isHere = (other: SameIdRow) => {
    const key = rowKey({ module, row: other.row })
    return !(plan.rowsFailed.get(key) ?? hasFailed(key))
  }
  const first = sameId.rows.find(isHere)
  if (first === undefined) return false
  plan.tally.add(plan, record, 'repeated')
  const { column } = sameId
  const message = `row ${row} has the id of row ${first.row}, which is imported${first.isEqual ? ', and is equal' : ''}`
  const severity = first.isEqual ? 'skipped' : 'error'
  plan.issue({ module, id, row }, { severity, code: 'DUPLICATE_ID', message, column })
  plan.rowsFailed.set(rowKey({ module, row }), true)
  return true
}

function planRecord(plan: PagePlan, index: CustomerIndex, planned: PlannedRecord): void {
  plan.keptHere = []
  const outcome = outcomeOf(plan, index, planned)
  plan.countRecord(planned.record, outcome, planned.link)
  plan.tally.add(plan, planned.record, outcome, planned.draft.warnings)
}

/** Plans a record, and reports what of it is not imported as it is. */
function outcomeOf(plan: PagePlan, index: CustomerIndex, planned: PlannedRecord): Outcome {
  const { record, draft, isErased } = planned
  const { module, id, row } = record
  if (isUnchanged(planned)) return 'unchanged'
  if (isErased && planned.link === undefined) {
    const message = 'was erased here'
    plan.issue({ module, id, row }, { severity: 'skipped', code: 'ERASED', message })
    return 'skipped'
  }
  if (draft.invalid !== null) {
    plan.issue({ module, id, row }, { severity: 'error', code: 'INVALID_RECORD', message: draft.invalid })
    plan.noteRow(record, 'failed')
    return 'failed'
  }
  const outcome =
    draft.kind === 'customers'
      ? planCustomer(plan, index, planned)
      : draft.kind === 'conversations'
        ? planConversation(plan, planned)
        : planChild(plan, planned)
  if (outcome !== 'failed' && outcome !== 'skipped') reportWarnings(plan, planned)
  plan.noteRow(record, outcome)
  return outcome
}

function reportWarnings(plan: PagePlan, { record, draft, linkId, customerId }: PlannedRecord): void {
  const { module, id, row } = record
  const link = draft.kind === 'customers' ? plan.set.find('importLinks', linkId) : undefined
  const about = { module, id, row, customerId: link?.entityId ?? customerId }
  for (const { isCounted, ...warning } of draft.warnings) {
    if (isCounted) plan.countIssue(about, { severity: 'warning', ...warning })
    else plan.issue(about, { severity: 'warning', ...warning })
  }
}

/** The version of a row is known when all records of the page are planned. */
export function finishLinks({ set, changedLinks }: PagePlan): void {
  for (const id of changedLinks) {
    const link = set.find('importLinks', id)
    if (link)
      set.put('importLinks', { ...link, rowVersion: set.versionAfter(link.entityKind, link.entityId) })
  }
}
