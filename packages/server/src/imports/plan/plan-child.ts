import { type Message, newConversation, type StoredCall, type StoredMessage } from '@crmkit/core'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import type { ImportLinkRecord } from '../../storage/kinds/import-links.ts'
import { factsOf, importedFacts } from '../rules/message-facts.ts'
import { newCallRow, newMessageRow } from '../rules/rows.ts'
import { externalIdOf, isSelected, linkIdOf } from './import-context.ts'
import type { Outcome, PagePlan } from './page-plan.ts'
import { importInboxId } from './plan-conversation.ts'
import { notesModule, type PlannedRecord } from './planned-record.ts'
import { movedOwner, newIdOf, putLink, putOwnLink, updateRow } from './row-writes.ts'

/** Plans a note, call, meeting or task. */
export function planChild(plan: PagePlan, planned: PlannedRecord): Outcome {
  if (planned.link) return update(plan, planned)
  return planned.draft.kind === 'messages' ? createNote(plan, planned) : createCall(plan, planned)
}

function withoutParent(plan: PagePlan, { record }: PlannedRecord, isChosen: boolean): Outcome {
  const { module, id, row } = record
  const about = { module, id, row }
  if (!isChosen) {
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
function placeOf(plan: PagePlan, { parent }: PlannedRecord): Place | undefined {
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
  const inboxId = importInboxId(plan)
  const made = newConversation(
    { subject: 'Imported notes', inboxId, customerId: customer._id },
    { id, tenantId: context.store.tenantId, now },
  )
  const conversation: ConversationRecord = { ...made, status: 'closed', closedAt: now }
  set.put('conversations', conversation)
  putOwnLink(
    plan,
    { linkId, externalId: externalIdOf(context, source), module: notesModule },
    { entityKind: 'conversations', entityId: id, customerId: customer._id, conversationId: id, isMade: true },
  )
  return conversation
}

function createNote(plan: PagePlan, planned: PlannedRecord): Outcome {
  const { context, set, now } = plan
  const place = placeOf(plan, planned)
  if (place === undefined) {
    const { parent } = planned.record
    return withoutParent(plan, planned, parent === null || isSelected(context.selection, parent.module))
  }
  const { record, draft, externalId } = planned
  const { provider, store } = context
  const id = newIdOf(plan, planned)
  const made = { id, tenantId: store.tenantId, now, externalId, provider, record, draft }
  const author = planned.authorId === null ? null : (set.find('customers', planned.authorId) ?? null)
  const isReply = isReplyOf(planned)
  const message = newMessageRow({ ...made, ...place, author, isReply })
  set.put('messages', message)
  if (isReply) countReply(plan, planned, { conversation: place.conversation, message })
  const { _id: conversationId, customerId } = place.conversation
  putLink(plan, planned, { entityKind: 'messages', entityId: id, customerId, conversationId, isMade: true })
  return 'created'
}

/** Only a deal or a case has replies: what stands about a customer is a note. */
function isReplyOf({ record, parent }: PlannedRecord): boolean {
  return record.fields.isReply === true && parent?.entityKind === 'conversations'
}

/** Counts a reply in its conversation. Nobody wrote it here, so it is unread for nobody, and an undo takes it out of the count. */
function countReply(
  plan: PagePlan,
  { parent }: PlannedRecord,
  { conversation, message }: { conversation: ConversationRecord; message: Message },
): void {
  const { set, context } = plan
  const { _id: id, customerId, messageCount } = conversation
  set.put('conversations', {
    ...conversation,
    messageCount: messageCount + 1,
    ...importedFacts(conversation, message),
  })
  const link = parent && set.find('importLinks', parent._id)
  if (!link) return
  if (link.madeBy !== context.runId && !context.isDryRun) {
    const before = { messageCount, ...factsOf(conversation) }
    plan.keepForUndo({ kind: 'conversations', id, before }, { customerId, conversationId: id })
  }
  // A conversation that somebody else has changed since is no work of imports alone any more.
  if (link.rowVersion !== set.versionBefore('conversations', id)) return
  set.put('importLinks', { ...link, lastRunId: context.runId })
  plan.changedLinks.add(link._id)
}

interface CallOwners {
  customerId: string | null
  conversationId: string | null
}

/** Returns what a call belongs to here: its person, else the customer of its parent, and a deal or case. */
function ownersOfCall({ set }: PagePlan, { customerId, parent }: PlannedRecord): CallOwners {
  const conversation =
    parent?.entityKind === 'conversations' ? set.find('conversations', parent.entityId) : undefined
  const ofParent = parent?.entityKind === 'customers' ? parent.entityId : (conversation?.customerId ?? null)
  const known = [customerId, ofParent].find((id) => id !== null && set.find('customers', id) !== undefined)
  return { customerId: known ?? null, conversationId: conversation?._id ?? null }
}

function createCall(plan: PagePlan, planned: PlannedRecord): Outcome {
  const { context, set, now } = plan
  const { record, draft, externalId } = planned
  const owners = ownersOfCall(plan, planned)
  const named = [record.parent, record.person].filter((one) => one !== null)
  const isTied = owners.customerId !== null || owners.conversationId !== null
  if (named.length > 0 && !isTied) {
    return withoutParent(
      plan,
      planned,
      named.some(({ module }) => isSelected(context.selection, module)),
    )
  }
  const id = newIdOf(plan, planned)
  const { provider, store } = context
  const made = { id, tenantId: store.tenantId, now, externalId, provider, record, draft }
  set.put('calls', newCallRow({ ...made, ...owners }))
  const { customerId } = owners
  putLink(plan, planned, {
    entityKind: 'calls',
    entityId: id,
    customerId,
    conversationId: null,
    isMade: true,
    owners: { ...owners },
  })
  return 'created'
}

function update(plan: PagePlan, planned: PlannedRecord): Outcome {
  const { link, record, draft } = planned
  if (link && draft.kind === 'messages') {
    const row = plan.set.find('messages', link.entityId)
    if (row) return updateNote(plan, planned, { row, link })
  } else if (link) {
    const row = plan.set.find('calls', link.entityId)
    if (row) return updateCall(plan, planned, row)
  }
  const { module, id, row } = record
  plan.issue({ module, id, row }, { severity: 'skipped', code: 'DELETED_HERE', message: 'was deleted here' })
  return 'skipped'
}

function updateNote(
  plan: PagePlan,
  planned: PlannedRecord,
  { row, link }: { row: StoredMessage; link: ImportLinkRecord },
): Outcome {
  const { customerId, conversationId } = link
  const owners = { customerId, conversationId }
  const isChanged = updateRow(plan, planned, { kind: 'messages', row, owners })
  putLink(plan, planned, { entityKind: 'messages', entityId: row._id, ...owners, isMade: false })
  return isChanged ? 'updated' : 'unchanged'
}

function updateCall(plan: PagePlan, planned: PlannedRecord, row: StoredCall): Outcome {
  const source = ownersOfCall(plan, planned)
  const { person, parent } = planned.record
  const isNamed = person !== null || parent !== null
  const move = (path: 'customerId' | 'conversationId') => {
    const isUnknown = isNamed && source.customerId === null && source.conversationId === null
    const moved = movedOwner(plan, planned, { path, local: row[path], source: source[path], isUnknown })
    return moved === undefined ? {} : { [path]: moved }
  }
  const beside: Partial<StoredCall> = { ...move('customerId'), ...move('conversationId') }
  const customerId = beside.customerId === undefined ? row.customerId : beside.customerId
  const owners = { customerId, conversationId: null }
  const isChanged = updateRow(plan, planned, { kind: 'calls', row, owners, beside })
  putLink(plan, planned, {
    entityKind: 'calls',
    entityId: row._id,
    ...owners,
    isMade: false,
    owners: { ...source },
  })
  return isChanged ? 'updated' : 'unchanged'
}
