import type { ImportLinkRecord, LinkedKind } from '../../storage/kinds/import-links.ts'
import type { Records } from '../../storage/kinds/registry.ts'
import type { RecordDraft } from '../rules/record-drafts.ts'
import { rowValuesOf } from '../rules/rows.ts'
import { isKeptHere, isSameValue, mergeField } from '../rules/three-way.ts'
import { externalIdOf, linkIdOf } from './import-context.ts'
import type { PagePlan } from './page-plan.ts'
import { idByEmail, type PlannedRecord, prefixedId } from './planned-record.ts'

interface Owners {
  customerId: string | null
  conversationId: string | null
}

interface NewLink extends Owners {
  entityKind: LinkedKind
  entityId: string
  isMade: boolean
  /** The message that the description of a new conversation became. */
  descriptionId?: string | undefined
  /** The owners at the source, to find out later who changed them. */
  owners?: Record<string, unknown>
}

/** Ties a record to a row, or notes what the record was at this import. */
export function putLink(plan: PagePlan, planned: PlannedRecord, made: NewLink): void {
  const { linkId, externalId, record } = planned
  putLinkOf(plan, planned, { linkId, externalId }, made)
  // By its address alone a person is known again under another name.
  const byEmail = idByEmail(record)
  if (byEmail === undefined) return
  const other = { module: record.module, id: byEmail }
  const otherId = linkIdOf(plan.context, other)
  const found = plan.set.find('importLinks', otherId)
  if (found !== undefined && found.entityId !== made.entityId) return
  putLinkOf(plan, planned, { linkId: otherId, externalId: externalIdOf(plan.context, other) }, made)
}

function putLinkOf(
  plan: PagePlan,
  planned: PlannedRecord,
  { linkId, externalId }: Pick<PlannedRecord, 'linkId' | 'externalId'>,
  made: NewLink,
): void {
  const { context, set, now } = plan
  const { record, draft, hash } = planned
  const link = set.find('importLinks', linkId) ?? planned.link
  const descriptionId = made.descriptionId ?? link?.descriptionId
  const row: ImportLinkRecord = {
    _id: linkId,
    tenantId: context.store.tenantId,
    externalId,
    module: record.module,
    entityKind: made.entityKind,
    entityId: made.entityId,
    customerId: made.customerId,
    conversationId: made.conversationId,
    payloadHash: hash,
    externalModifiedAt: record.modifiedAt,
    importedValues: { ...draft.values, ...made.owners },
    deletedAt: null,
    ...(descriptionId !== undefined && { descriptionId }),
    madeBy: link?.madeBy ?? (made.isMade ? context.runId : null),
    lastRunId: context.runId,
    rowVersion: 0,
    createdAt: link?.createdAt ?? now,
    updatedAt: now,
  }
  set.put('importLinks', row)
  plan.changedLinks.add(linkId)
}

/** A link to a row that no record of the source stands for: the inbox, and conversations of notes. */
export function putOwnLink(
  plan: PagePlan,
  { linkId, externalId, module }: { linkId: string; externalId: string; module: string },
  made: NewLink,
): void {
  const { context, set, now } = plan
  set.put('importLinks', {
    _id: linkId,
    tenantId: context.store.tenantId,
    externalId,
    module,
    entityKind: made.entityKind,
    entityId: made.entityId,
    customerId: made.customerId,
    conversationId: made.conversationId,
    payloadHash: '',
    externalModifiedAt: null,
    importedValues: {},
    deletedAt: null,
    madeBy: context.runId,
    lastRunId: context.runId,
    rowVersion: 0,
    createdAt: now,
    updatedAt: now,
  })
  plan.changedLinks.add(linkId)
}

const plainId = /^[A-Za-z0-9_-]{1,64}$/

const prefixes = { customers: 'cus', conversations: 'con', messages: 'msg', calls: 'cal' } as const

/** Returns the id of a new row: that of the source where it is asked for and free, else a generated one. */
export function newIdOf(plan: PagePlan, { record, draft }: PlannedRecord): string {
  const { context, set } = plan
  const generated = () => context.ids.next(prefixes[draft.kind])
  if (!context.selection.preserveIds) return generated()
  const wanted = [record.id, ...(context.provider === 'hubspot' ? [prefixedId(record)] : [])]
  const free = wanted.find((id) => plainId.test(id) && set.find(draft.kind, id) === undefined)
  if (free !== undefined) return free
  const { module, id, row } = record
  const message = 'the id is taken here, or has characters that an id may not have'
  plan.issue({ module, id, row }, { severity: 'warning', code: 'ID_CONFLICT', message })
  return generated()
}

export interface UpdatePlan<K extends RecordDraft['kind']> {
  kind: K
  row: Records[K]
  owners: Owners
  /** Fields that are changed beside the values of the draft. */
  beside?: Partial<Records[K]>
}

/** Values of a record that are compared elsewhere, or only matter when a row is made. */
const besideValues = new Set(['description', 'status', 'customerId', 'conversationId'])

/**
 * Returns the row that a record is tied to now, by the three-way rule; undefined when it stays. A record whose owner
 * is not known here keeps the earlier one.
 */
export function movedOwner(
  plan: PagePlan,
  { link }: Pick<PlannedRecord, 'link'>,
  { path, local, source, isUnknown }: OwnerMove,
): string | null | undefined {
  if (isUnknown) return undefined
  const imported = (link?.importedValues[path] ?? null) as string | null
  const { value, isConflict } = mergeField({ policy: plan.context.policy, local, imported, source })
  if (isConflict) plan.conflictsKept += 1
  return value === local ? undefined : (value as string | null)
}

interface OwnerMove {
  path: 'customerId' | 'conversationId'
  local: string | null
  source: string | null
  /** The source names an owner that is not known here. */
  isUnknown: boolean
}

/** Brings a row up to date by the three-way rule. Returns whether something of it is written. */
export function updateRow<K extends RecordDraft['kind']>(
  plan: PagePlan,
  { draft, link }: Pick<PlannedRecord, 'draft' | 'link'>,
  { kind, row, owners, beside = {} }: UpdatePlan<K>,
): boolean {
  const { provider, policy } = plan.context
  const { valuesOf, withValues } = rowValuesOf(kind)
  const local = valuesOf(row, provider)
  const imported = link?.importedValues
  const values: Record<string, unknown> = {}
  let isChanged = Object.keys(beside).length > 0
  for (const path of new Set([...Object.keys(draft.values), ...Object.keys(imported ?? {})])) {
    if (besideValues.has(path)) continue
    const merged = mergeField({
      policy: imported === undefined ? 'local_wins' : policy,
      local: local[path],
      imported: imported === undefined ? undefined : (imported[path] ?? null),
      source: draft.values[path],
    })
    if (merged.isConflict) plan.conflictsKept += 1
    if (isKeptHere({ source: draft.values[path] }, merged.value)) plan.keptHere.push(path)
    values[path] = merged.value
    isChanged ||= !isSameValue(merged.value, local[path])
  }
  if (!isChanged) return false
  const made = withValues(row, provider, { ...onlyNamed(local), ...values })
  const after = { ...made, ...beside, updatedAt: plan.now }
  plan.set.put(kind, after)
  if (!plan.context.isDryRun) {
    const before = Object.fromEntries(
      Object.entries(row).filter(
        ([name, value]) => name !== 'updatedAt' && !isSameValue(value, after[name as keyof Records[K]]),
      ),
    )
    plan.keepForUndo({ kind, id: row._id, before }, owners)
  }
  return true
}

/** Custom fields that the source does not name stay as they are. */
function onlyNamed(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([path]) => !path.startsWith('custom.')))
}
