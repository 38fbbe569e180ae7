import { newDefaultInbox } from '@crmkit/core'
import { providerNames } from '@crmkit/core/vocabulary'
import type { SourceRecord } from '../../ports/connector.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import { importedFacts } from '../rules/message-facts.ts'
import { newConversationRow, newMessageRow } from '../rules/rows.ts'
import { externalIdOf, linkIdOf } from './import-context.ts'
import type { Outcome, PagePlan } from './page-plan.ts'
import { inboxModule, type PlannedRecord } from './planned-record.ts'
import { movedOwner, newIdOf, putLink, putOwnLink, updateRow } from './row-writes.ts'

/** Plans a deal or a case. */
export function planConversation(plan: PagePlan, planned: PlannedRecord): Outcome {
  if (planned.link) return update(plan, planned)
  const merged = mergedConversation(plan, planned)
  return merged === undefined ? create(plan, planned) : join(plan, planned, merged)
}

/** Returns the conversation of a record that was merged into this one at the source. */
function mergedConversation({ context, set }: PagePlan, { record }: PlannedRecord) {
  for (const id of record.mergedIds ?? []) {
    const link = set.find('importLinks', linkIdOf(context, { module: record.module, id }))
    const conversation =
      link?.entityKind === 'conversations' ? set.find('conversations', link.entityId) : undefined
    if (conversation) return conversation
  }
  return undefined
}

/** Joins the conversation of a merged record: blank fields are filled, nothing else changes. */
function join(plan: PagePlan, planned: PlannedRecord, row: ConversationRecord): Outcome {
  const { draft, externalId, customerId } = planned
  const owners = { customerId: row.customerId, conversationId: row._id }
  const beside = { externalIds: [...new Set([...row.externalIds, externalId])] }
  updateRow(plan, { draft, link: undefined }, { kind: 'conversations', row, owners, beside })
  const imported = { customerId: customerId ?? row.customerId }
  putLink(plan, planned, {
    entityKind: 'conversations',
    entityId: row._id,
    ...owners,
    isMade: false,
    owners: imported,
  })
  return 'merged'
}

/** Returns the inbox of imported conversations, made once for each account. */
export function importInboxId(plan: PagePlan): string {
  const { context, set, now } = plan
  const link = { module: inboxModule, id: 'inbox' }
  const found = set.find('importLinks', linkIdOf(context, link))
  if (found && set.find('inboxes', found.entityId)) return found.entityId
  const id = context.ids.next('inb')
  const { tenantId } = context.store
  const inbox = newDefaultInbox({ id, tenantId, now })
  const name = `Imported (${providerNames[context.provider]})`
  set.put('inboxes', { ...inbox, name, isDefault: false })
  putOwnLink(
    plan,
    { linkId: linkIdOf(context, link), externalId: externalIdOf(context, link), module: inboxModule },
    { entityKind: 'inboxes', entityId: id, customerId: null, conversationId: null, isMade: true },
  )
  return id
}

function create(plan: PagePlan, planned: PlannedRecord): Outcome {
  const { context, set, now } = plan
  const { record, draft, externalId, customerId } = planned
  const { provider, store } = context
  const customer = customerId === null ? null : (set.find('customers', customerId) ?? null)
  if (isNamed(record) && customer === null) reportPerson(plan, planned)
  const id = newIdOf(plan, planned)
  const hasMessage = typeof draft.values['description'] === 'string'
  const made = { tenantId: store.tenantId, now, externalId, provider, record, draft }
  const conversation = newConversationRow({
    ...made,
    id,
    inboxId: importInboxId(plan),
    customerId: customer?._id ?? null,
    hasMessage,
  })
  const descriptionId = hasMessage ? context.ids.next('msg') : undefined
  if (descriptionId === undefined) set.put('conversations', conversation)
  else {
    const parts = { ...made, id: descriptionId, conversation, customer, author: customer }
    const message = newMessageRow(parts)
    set.put('conversations', { ...conversation, ...importedFacts(conversation, message) })
    set.put('messages', message)
  }
  putLink(plan, planned, {
    entityKind: 'conversations',
    entityId: id,
    customerId: conversation.customerId,
    conversationId: id,
    isMade: true,
    descriptionId,
    owners: { customerId: conversation.customerId },
  })
  return 'created'
}

function isNamed({ person, personEmail }: SourceRecord): boolean {
  return person !== null || Boolean(personEmail)
}

function reportPerson(plan: PagePlan, { record: { module, id, row } }: PlannedRecord): void {
  const message = 'its customer was not imported: it is here without one'
  plan.issue({ module, id, row }, { severity: 'warning', code: 'PARENT_MISSING', message })
}

function update(plan: PagePlan, planned: PlannedRecord): Outcome {
  const { link, record, customerId } = planned
  const row = link && plan.set.find('conversations', link.entityId)
  if (!link || !row) {
    const { module, id, row: number } = record
    const message = 'was deleted here'
    plan.issue({ module, id, row: number }, { severity: 'skipped', code: 'DELETED_HERE', message })
    return 'skipped'
  }
  const customer = customerId === null ? undefined : plan.set.find('customers', customerId)
  const source = customer?._id ?? null
  // A customer who was imported later is tied to it then.
  const moved = movedOwner(plan, planned, {
    path: 'customerId',
    local: row.customerId,
    source,
    isUnknown: isNamed(record) && source === null,
  })
  const beside: Partial<ConversationRecord> = moved === undefined ? {} : { customerId: moved }
  const owners = { customerId: moved === undefined ? row.customerId : moved, conversationId: row._id }
  const isChanged = updateRow(plan, planned, { kind: 'conversations', row, owners, beside })
  const imported = { customerId: source ?? link.importedValues['customerId'] ?? null }
  putLink(plan, planned, {
    entityKind: 'conversations',
    entityId: row._id,
    ...owners,
    isMade: false,
    owners: imported,
  })
  return isChanged ? 'updated' : 'unchanged'
}
