import { hash } from 'node:crypto'
import { monthOf, type PackageKind, type PackageRecord } from '@crmkit/core/package'
import type { CellUse } from '../../ports/connector.ts'
import { externalLinkId } from '../../storage/external-ids.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { ImportLinkRecord, LinkedKind } from '../../storage/kinds/import-links.ts'
import { externalIdOf, type ImportContext, linkIdOf } from '../plan/import-context.ts'
import type { Outcome, PagePlan } from '../plan/page-plan.ts'
import { notesModule } from '../plan/planned-record.ts'
import type { PackageBytes } from './package-bytes.ts'
import type { PackageFacts } from './package-facts.ts'
import type { PackageLine } from './package-source.ts'

/** Everything that the pages of a run have in common. */
export interface PackageParts {
  context: ImportContext
  facts: PackageFacts
  bytes: PackageBytes
  product: string
  /** The inbox here of each inbox of the package. */
  inboxes: Readonly<Record<string, string>>
  /** Whether the team works here. */
  isHandedOver: boolean
}

export type RowFigure = Outcome | 'repeated'

/** A record of a page, with the link that it has here. */
export interface PackageRow<K extends PackageKind = PackageKind> {
  row: number
  id: string
  record: PackageRecord<K>
  linkId: string
  externalId: string
  /** Digest of the record. */
  hash: string
}

export function rowOf<K extends PackageKind>(
  context: ImportContext,
  kind: K,
  { row, record }: Extract<PackageLine<K>, { record: unknown }>,
): PackageRow<K> {
  const id = idOf(record)
  const link = { module: kind, id }
  return {
    row,
    id,
    record,
    linkId: linkIdOf(context, link),
    externalId: externalIdOf(context, link),
    hash: hash('sha256', JSON.stringify(record), 'base64url'),
  }
}

/** Ratings and suppressions have no id of their own. */
function idOf(record: object): string {
  for (const name of ['id', 'conversationId', 'address']) {
    const value: unknown = Reflect.get(record, name)
    if (typeof value === 'string') return value
  }
  return ''
}

interface MadeLink {
  kind: PackageKind
  row: Pick<PackageRow, 'linkId' | 'externalId' | 'hash'>
  entityKind: LinkedKind
  entityId: string
  customerId: string | null
  conversationId: string | null
  isMade: boolean
  modifiedAt?: string | null
  importedValues?: Record<string, unknown>
}

/** Ties a record to its row, or notes what the record was at this import. */
export function putPackageLink(plan: PagePlan, made: MadeLink): void {
  const { context, set, now } = plan
  const { kind, row, entityKind, entityId, customerId, conversationId, isMade } = made
  const link = set.find('importLinks', row.linkId)
  const after: ImportLinkRecord = {
    _id: row.linkId,
    tenantId: context.store.tenantId,
    externalId: row.externalId,
    module: kind,
    entityKind,
    entityId,
    customerId,
    conversationId,
    payloadHash: row.hash,
    externalModifiedAt: made.modifiedAt ?? null,
    importedValues: made.importedValues ?? {},
    deletedAt: null,
    madeBy: link?.madeBy ?? (isMade ? context.runId : null),
    lastRunId: context.runId,
    rowVersion: 0,
    createdAt: link?.createdAt ?? now,
    updatedAt: now,
  }
  set.put('importLinks', after)
  plan.changedLinks.add(row.linkId)
}

/** Returns the row that a record of the package became; undefined when it is not here. */
export function linkedId(
  { context, set }: PagePlan,
  entityKind: LinkedKind,
  source: { module: PackageKind; id: string | null | undefined },
): string | null {
  if (!source.id) return null
  const link = set.find('importLinks', linkIdOf(context, { module: source.module, id: source.id }))
  return link?.entityKind === entityKind ? link.entityId : null
}

/** Returns the link of a conversation that an import of this account has made. */
export function linkOfConversation(
  { set, context }: PagePlan,
  { externalIds, customerId }: ConversationRecord,
): ImportLinkRecord | undefined {
  const [externalId] = externalIds
  const own = { module: notesModule, id: customerId ?? '' }
  return set.find(
    'importLinks',
    externalId === undefined ? linkIdOf(context, own) : externalLinkId(externalId),
  )
}

/** Notes that the run has changed a conversation, so that its undo knows the row as its own. */
export function noteChange(plan: PagePlan, conversation: ConversationRecord): void {
  const { set, context } = plan
  const link = linkOfConversation(plan, conversation)
  // A conversation that somebody else has changed since is no work of imports alone any more.
  if (link === undefined || link.rowVersion !== set.versionBefore('conversations', conversation._id)) return
  set.put('importLinks', { ...link, lastRunId: context.runId })
  plan.changedLinks.add(link._id)
}

/** Fields that have no place here, by kind. */
const notStored: Readonly<Partial<Record<PackageKind, readonly string[]>>> = {
  agents: ['role', 'isActive', 'externalUrl', 'customFields'],
  inboxes: ['channel', 'address', 'externalUrl', 'customFields'],
  labels: ['color', 'externalUrl', 'customFields'],
  conversations: [],
  messages: ['references', 'externalUrl', 'customFields'],
  notes: ['externalUrl', 'customFields'],
  calls: ['externalUrl', 'customFields'],
  ratings: ['externalUrl', 'customFields'],
  attachments: ['externalUrl', 'customFields'],
  suppressions: ['externalUrl', 'customFields'],
}
const kept: ReadonlySet<string> = new Set(['statusWord', 'externalUrl', 'customFields', 'mergedInto'])

const hasValue = (value: unknown) =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)

/** Returns what the fields of a record are used for, and reports those without a place. */
export function useFields(
  plan: PagePlan,
  kind: PackageKind,
  { row, record, unknownFields }: Extract<PackageLine, { record: unknown }>,
): Map<string, CellUse> {
  const about = { module: kind, id: null, row }
  const uses = new Map<string, CellUse>()
  for (const [name, value] of Object.entries(record)) {
    if (!hasValue(value)) continue
    const isStored = !(notStored[kind] ?? []).includes(name)
    uses.set(name, isStored ? (kept.has(name) ? 'kept' : 'stored') : 'named')
    if (isStored) continue
    const message = `${kind} have no place for it here`
    plan.countIssue(about, { severity: 'warning', code: 'COLUMN_NOT_STORED', message, column: name })
  }
  for (const name of unknownFields) {
    uses.set(name, 'named')
    const message = 'this version does not know the field'
    plan.countIssue(about, { severity: 'warning', code: 'KIND_NOT_SUPPORTED', message, column: name })
  }
  return uses
}

/** The months of the records that are here, for the count sheet. */
export class HereCounts {
  readonly #counts = new Map<string, number>()

  add(kind: PackageKind, record: object, figure: RowFigure): void {
    if (figure === 'failed' || figure === 'skipped' || figure === 'repeated') return
    const month = monthOf(kind, record) ?? ''
    this.#counts.set(month, (this.#counts.get(month) ?? 0) + 1)
  }

  /** Returns the figures of a run after the page. */
  addedTo(
    before: Readonly<Record<string, Readonly<Record<string, number>>>> | undefined,
    kind: PackageKind,
  ): Record<string, Readonly<Record<string, number>>> {
    const months = { ...before?.[kind] }
    for (const [month, count] of this.#counts) months[month] = (months[month] ?? 0) + count
    return { ...before, [kind]: months }
  }
}
