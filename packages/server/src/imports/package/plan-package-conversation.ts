import { mergeLabels, newConversation, newDefaultInbox } from '@crmkit/core'
import type { PackageRecord } from '@crmkit/core/package'
import { cleanCustomFields, cleanText } from '../../connectors/clean-text.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { ImportLinkRecord } from '../../storage/kinds/import-links.ts'
import { externalIdOf, linkIdOf } from '../plan/import-context.ts'
import type { Outcome, PagePlan } from '../plan/page-plan.ts'
import { inboxModule } from '../plan/planned-record.ts'
import { putOwnLink } from '../plan/row-writes.ts'
import { isSameValue, mergeField } from '../rules/three-way.ts'
import { linkedId, type PackageParts, type PackageRow, putPackageLink } from './package-page.ts'

type Source = PackageRecord<'conversations'>
type Values = Pick<
  ConversationRecord,
  | 'subject'
  | 'status'
  | 'priority'
  | 'channel'
  | 'customerId'
  | 'assignedTo'
  | 'labels'
  | 'snoozedUntil'
  | 'closedAt'
  | 'customFields'
>

/** Plans a conversation: it makes one, or follows the source field by field. */
export function planPackageConversation(
  parts: PackageParts,
  plan: PagePlan,
  row: PackageRow<'conversations'>,
): Outcome {
  const link = plan.set.find('importLinks', row.linkId)
  const customerId = linkedId(plan, 'customers', { module: 'people', id: row.record.personId })
  const isUnchanged =
    link?.payloadHash === row.hash && link.deletedAt === null && link.customerId === customerId
  if (isUnchanged) return 'unchanged'
  const values = valuesOf(parts, plan, row)
  return link === undefined
    ? create(parts, plan, { row, values })
    : update(parts, plan, { row, values, link })
}

interface Planned {
  row: PackageRow<'conversations'>
  values: Values
}

function valuesOf({ facts }: PackageParts, plan: PagePlan, row: PackageRow<'conversations'>): Values {
  const { record } = row
  const missing = (column: string, message: string) =>
    plan.issue(
      { module: 'conversations', id: row.id, row: row.row },
      { severity: 'warning', code: 'MISSING_REFERENCE', message, column },
    )
  const customerId = linkedId(plan, 'customers', { module: 'people', id: record.personId })
  if (record.personId && customerId === null) missing('personId', 'its person is not here')
  const agent = facts.agent(record.assigneeId)
  if (record.assigneeId && !agent?.userId) missing('assigneeId', 'its assignee is no user here')
  const status = statusOf(record, plan.now)
  const closedAt = record.closedAt ?? record.updatedAt ?? record.createdAt
  return {
    subject: cleanText(record.subject, { lengthMax: 500 }).text ?? '',
    status,
    priority: record.priority ?? 'medium',
    channel: record.channel ?? 'email',
    customerId,
    assignedTo: agent?.userId ?? null,
    labels: labelsOf(record.labels ?? []),
    snoozedUntil: status === 'snoozed' ? (record.snoozedUntil ?? null) : null,
    closedAt: status === 'closed' ? closedAt : null,
    customFields: customFieldsOf(record),
  }
}

/** A conversation whose time to open has passed is open. */
function statusOf({ status, snoozedUntil }: Source, now: string): Source['status'] {
  return status === 'snoozed' && snoozedUntil && snoozedUntil <= now ? 'open' : status
}

const labelsMax = 50

function labelsOf(labels: readonly string[]): string[] {
  const clean = labels.flatMap((label) => {
    const { text } = cleanText(label.replaceAll(',', ' '), { lengthMax: 64 })
    return text === null ? [] : [text]
  })
  return mergeLabels(clean).slice(0, labelsMax)
}

function customFieldsOf({ customFields, statusWord, externalUrl, mergedInto }: Source) {
  const { fields } = cleanCustomFields({
    ...customFields,
    ...(statusWord && { 'Status (source)': statusWord }),
    ...(externalUrl && { 'Source URL': externalUrl }),
    ...(mergedInto && { 'Merged into (source)': mergedInto }),
  })
  return fields as Values['customFields']
}

const participantsMax = 50

function create(parts: PackageParts, plan: PagePlan, { row, values }: Planned): Outcome {
  const { context, set, now } = plan
  const { record, externalId } = row
  const { createdAt } = record
  const id = context.ids.next('con')
  const inboxId = inboxOf(parts, plan, row)
  const made = newConversation(
    { subject: values.subject, inboxId, customerId: values.customerId },
    { id, tenantId: context.store.tenantId, now },
  )
  const conversation: ConversationRecord = {
    ...made,
    ...values,
    lastMessageAt: record.lastMessageAt ?? null,
    firstResponseAt: record.firstResponseAt ?? null,
    externalIds: [externalId],
    participants: (record.participants ?? [])
      .slice(0, participantsMax)
      .map(({ address, name = null }) => ({ address, name, addedAt: createdAt, verified: null })),
    previousConversationId: previousOf(plan, row, id),
    importedAt: now,
    importedSeq: 0,
    createdAt,
    updatedAt: record.updatedAt ?? record.lastMessageAt ?? createdAt,
  }
  set.put('conversations', conversation)
  putPackageLink(plan, {
    kind: 'conversations',
    row,
    entityKind: 'conversations',
    entityId: id,
    customerId: values.customerId,
    conversationId: id,
    isMade: true,
    modifiedAt: record.updatedAt ?? null,
    importedValues: importedOf(record, values),
  })
  return 'created'
}

/** `firstResponse`: whether the first response is worked out from the messages, because the source does not say it. */
function importedOf({ firstResponseAt }: Source, values: Values): Record<string, unknown> {
  return { ...values, worksOutFirstResponse: firstResponseAt === undefined }
}

/** A conversation continues an earlier one of the package; one that would be its own beginning continues none. */
function previousOf(plan: PagePlan, row: PackageRow<'conversations'>, id: string): string | null {
  const { previousId } = row.record
  if (!previousId) return null
  const found = linkedId(plan, 'conversations', { module: 'conversations', id: previousId })
  if (found !== null && found !== id) return found
  plan.issue(
    { module: 'conversations', id: row.id, row: row.row },
    {
      severity: 'warning',
      code: 'MISSING_REFERENCE',
      message: 'the conversation before it is not here yet',
      column: 'previousId',
    },
  )
  return null
}

function inboxOf(parts: PackageParts, plan: PagePlan, row: PackageRow<'conversations'>): string {
  const { inboxId } = row.record
  const mapped = inboxId ? parts.inboxes[inboxId] : undefined
  if (mapped !== undefined && plan.set.find('inboxes', mapped)) return mapped
  if (inboxId) {
    plan.countIssue(
      { module: 'conversations', id: row.id, row: row.row },
      {
        severity: 'warning',
        code: 'INBOX_NOT_MAPPED',
        message: 'the import names no inbox for it: its conversations are in the inbox of the import',
        column: 'inboxId',
        value: inboxId,
      },
    )
  }
  return importInboxOf(parts, plan)
}

export function importInboxLink({ context }: Pick<PackageParts, 'context'>): string {
  return linkIdOf(context, { module: inboxModule, id: 'inbox' })
}

export function importInboxOf(parts: PackageParts, plan: PagePlan): string {
  const { context, set, now } = plan
  const linkId = importInboxLink(parts)
  const known = set.find('importLinks', linkId)
  if (known && set.find('inboxes', known.entityId)) return known.entityId
  const id = context.ids.next('inb')
  const inbox = newDefaultInbox({ id, tenantId: context.store.tenantId, now })
  set.put('inboxes', { ...inbox, name: `Imported (${parts.product})`.slice(0, 100), isDefault: false })
  putOwnLink(
    plan,
    { linkId, externalId: externalIdOf(context, { module: inboxModule, id: 'inbox' }), module: inboxModule },
    { entityKind: 'inboxes', entityId: id, customerId: null, conversationId: null, isMade: true },
  )
  return id
}

const followed = [
  'subject',
  'status',
  'priority',
  'customerId',
  'assignedTo',
  'labels',
  'snoozedUntil',
  'closedAt',
] as const

/** Of a package that is handed over: the state of a conversation is the work of the people here. */
const followedAfterwards = ['subject', 'priority', 'customerId'] as const

function followedBy({ isHandedOver }: PackageParts): readonly (typeof followed)[number][] {
  return isHandedOver ? followedAfterwards : followed
}

function update(
  parts: PackageParts,
  plan: PagePlan,
  { row, values, link }: Planned & { link: ImportLinkRecord },
): Outcome {
  const { set, context, now } = plan
  const before = set.find('conversations', link.entityId)
  if (before === undefined) {
    const about = { module: 'conversations', id: row.id, row: row.row }
    plan.issue(about, { severity: 'skipped', code: 'DELETED_HERE', message: 'was deleted here' })
    return 'skipped'
  }
  const changed: Record<string, unknown> = {}
  for (const path of followedBy(parts)) {
    if (path === 'customerId' && values.customerId === null) continue
    const local = before[path]
    const merged = mergeField({
      policy: context.policy,
      local,
      imported: link.importedValues[path] ?? null,
      source: values[path],
    })
    if (merged.isConflict) {
      plan.conflictsKept += 1
      plan.keptHere.push(path)
    }
    if (!isSameValue(merged.value, local)) changed[path] = merged.value
  }
  const isChanged = Object.keys(changed).length > 0
  if (isChanged) {
    keepBefore(plan, before, Object.keys(changed))
    set.put('conversations', { ...before, ...changed, updatedAt: now })
  }
  putPackageLink(plan, {
    kind: 'conversations',
    row,
    entityKind: 'conversations',
    entityId: before._id,
    customerId: values.customerId ?? before.customerId,
    conversationId: before._id,
    isMade: false,
    modifiedAt: row.record.updatedAt ?? null,
    importedValues: importedOf(row.record, values),
  })
  return isChanged ? 'updated' : 'unchanged'
}

/** Keeps the values that a run replaces in a conversation that it has not made. */
export function keepBefore(plan: PagePlan, row: ConversationRecord, names: readonly string[]): void {
  if (plan.context.isDryRun) return
  const before = Object.fromEntries(
    names.map((name) => [name, row[name as keyof ConversationRecord] ?? null]),
  )
  const { _id: id, customerId } = row
  plan.keepForUndo({ kind: 'conversations', id, before }, { customerId, conversationId: id })
}
