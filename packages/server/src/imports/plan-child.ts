import type { ConversationRecord } from '../storage/kinds/conversations.ts'
import type { CustomerRecord } from '../storage/kinds/customers.ts'
import { externalIdOf, isSelected, linkIdOf } from './import-context.ts'
import type { Outcome, PagePlan } from './page-plan.ts'
import { importInboxId } from './plan-conversation.ts'
import { notesModule, type Planned } from './plan-page.ts'
import { newIdOf, putLink, putOwnLink, updateRow } from './plan-rows.ts'
import { newCallRow, newMessageRow } from './rules/rows.ts'

/** Plans a note, call, meeting or task. */
export function planChild(plan: PagePlan, planned: Planned): Outcome {
  if (planned.link) return update(plan, planned)
  return planned.draft.kind === 'messages' ? createNote(plan, planned) : createCall(plan, planned)
}

function withoutParent(plan: PagePlan, { record }: Planned): Outcome {
  const { module, id, row, parent } = record
  const about = { module, id, row }
  if (parent && !isSelected(plan.context.selection, parent.module)) {
    const message = 'belongs to a module that was not chosen'
    plan.issue(about, { severity: 'skipped', code: 'PARENT_NOT_SELECTED', message })
    return 'skipped'
  }
  plan.issue(about, { severity: 'error', code: 'PARENT_MISSING', message: 'its parent was not imported' })
  return 'failed'
}

interface Place {
  conversation: ConversationRecord
  customer: CustomerRecord | null
}

/** Returns the conversation of a note: that of its deal or case, or the one for the notes about its customer. */
function placeOf(plan: PagePlan, { parent }: Planned): Place | undefined {
  const { set } = plan
  if (parent?.entityKind === 'conversations') {
    const conversation = set.find('conversations', parent.entityId)
    return conversation && { conversation, customer: null }
  }
  if (parent?.entityKind !== 'customers') return undefined
  const customer = set.find('customers', parent.entityId)
  return customer && { conversation: notesOf(plan, customer), customer }
}

function notesOf(plan: PagePlan, customer: CustomerRecord): ConversationRecord {
  const { context, set, now } = plan
  const source = { module: notesModule, id: customer._id }
  const linkId = linkIdOf(context, source)
  const link = set.find('importLinks', linkId)
  const found = link && set.find('conversations', link.entityId)
  if (found) return found
  const id = context.ids.next('con')
  const conversation: ConversationRecord = {
    _id: id,
    tenantId: context.store.tenantId,
    subject: 'Imported notes',
    status: 'closed',
    priority: 'medium',
    channel: 'email',
    source: 'api',
    customerId: customer._id,
    assignedTo: null,
    inboxId: importInboxId(plan),
    labels: [],
    snoozedUntil: null,
    wakeOnReply: true,
    lastMessageAt: null,
    messageCount: 0,
    firstResponseAt: null,
    closedAt: now,
    readAt: { customer: null, agent: null },
    rating: null,
    externalIds: [],
    customFields: {},
    createdAt: now,
    updatedAt: now,
  }
  set.put('conversations', conversation)
  putOwnLink(
    plan,
    { linkId, externalId: externalIdOf(context, source), module: notesModule },
    { entityKind: 'conversations', entityId: id, customerId: customer._id, conversationId: id, isMade: true },
  )
  return conversation
}

function createNote(plan: PagePlan, planned: Planned): Outcome {
  const { context, set, now } = plan
  const place = placeOf(plan, planned)
  if (place === undefined) return withoutParent(plan, planned)
  const { record, draft, externalId } = planned
  const { provider, store } = context
  const id = newIdOf(plan, planned)
  const made = { id, tenantId: store.tenantId, now, externalId, provider, record, draft }
  set.put('messages', newMessageRow({ ...made, ...place }))
  const { _id: conversationId, customerId } = place.conversation
  putLink(plan, planned, { entityKind: 'messages', entityId: id, customerId, conversationId, isMade: true })
  return 'created'
}

function createCall(plan: PagePlan, planned: Planned): Outcome {
  const { context, set, now } = plan
  const { record, draft, externalId, parent } = planned
  const { person } = record
  const isNamed = record.parent !== null || person !== null
  const conversation =
    parent?.entityKind === 'conversations' ? set.find('conversations', parent.entityId) : undefined
  const ofParent = parent?.entityKind === 'customers' ? parent.entityId : (conversation?.customerId ?? null)
  const customerId =
    [planned.customerId, ofParent].find((id) => id !== null && set.find('customers', id)) ?? null
  const isTied = customerId !== null || conversation !== undefined
  if (isNamed && !isTied) {
    const isLeftOut = [record.parent, person].every(
      (one) => one === null || !isSelected(context.selection, one.module),
    )
    const message = isLeftOut ? 'belongs to a module that was not chosen' : 'its parent was not imported'
    const { module, id, row } = record
    plan.issue(
      { module, id, row },
      isLeftOut
        ? { severity: 'skipped', code: 'PARENT_NOT_SELECTED', message }
        : { severity: 'error', code: 'PARENT_MISSING', message },
    )
    return isLeftOut ? 'skipped' : 'failed'
  }
  const id = newIdOf(plan, planned)
  const { provider, store } = context
  const conversationId = conversation?._id ?? null
  const made = { id, tenantId: store.tenantId, now, externalId, provider, record, draft }
  set.put('calls', newCallRow({ ...made, customerId, conversationId }))
  putLink(plan, planned, {
    entityKind: 'calls',
    entityId: id,
    customerId,
    conversationId: null,
    isMade: true,
  })
  return 'created'
}

function update(plan: PagePlan, planned: Planned): Outcome {
  const { link, record, draft } = planned
  const kind = draft.kind === 'messages' ? 'messages' : 'calls'
  const row = link && plan.set.find(kind, link.entityId)
  if (!link || !row) {
    const { module, id, row: number } = record
    const message = 'was deleted here'
    plan.issue({ module, id, row: number }, { severity: 'skipped', code: 'DELETED_HERE', message })
    return 'skipped'
  }
  const { customerId, conversationId } = link
  const isChanged = updateRow<typeof row>(plan, planned, {
    kind,
    row,
    owners: { customerId, conversationId },
  })
  putLink(plan, planned, { entityKind: kind, entityId: row._id, customerId, conversationId, isMade: false })
  return isChanged ? 'updated' : 'unchanged'
}
