import { isEmail, newCall, normalizeEmail, type StoredCall, type SuppressedAddress } from '@crmkit/core'
import { cleanText } from '../../connectors/clean-text.ts'
import type { Outcome, PagePlan } from '../plan/page-plan.ts'
import { recordingNoteOf } from './call-recordings.ts'
import type { FoundBytes } from './package-bytes.ts'
import {
  linkedId,
  linkOfConversation,
  noteChange,
  type PackageParts,
  type PackageRow,
  putPackageLink,
} from './package-page.ts'
import { keepBefore } from './plan-package-conversation.ts'
import { planPackageMessage } from './plan-package-message.ts'
import { preparedReply, type TeamReply, teamReply } from './prepared-reply.ts'

interface PlannedCall {
  row: PackageRow<'calls'>
  files: ReadonlyMap<string, FoundBytes | undefined>
}

/** Plans a call, a task or a meeting, and the note with its recording. */
export function planPackageCall(parts: PackageParts, plan: PagePlan, { row, files }: PlannedCall): Outcome {
  const outcome = planCall(parts, plan, row)
  // A call of an earlier import gets its recording too.
  if (outcome !== 'failed') planRecording(parts, plan, { row, files })
  return outcome
}

function planRecording(parts: PackageParts, plan: PagePlan, { row, files }: PlannedCall): void {
  const note = recordingNoteOf(parts.context, row)
  if (note !== undefined) planPackageMessage(parts, plan, { kind: 'notes', row: note, files })
  else if (row.record.attachmentIds?.length) {
    const message = 'the recording of a call without a person and a conversation has no place here'
    const about = { module: 'calls', id: row.id, row: row.row }
    plan.countIssue(about, {
      severity: 'warning',
      code: 'COLUMN_NOT_STORED',
      message,
      column: 'attachmentIds',
    })
  }
}

function planCall({ context, facts }: PackageParts, plan: PagePlan, row: PackageRow<'calls'>): Outcome {
  const { set } = plan
  if (set.find('importLinks', row.linkId) !== undefined) return 'unchanged'
  const { record } = row
  const conversationId = linkedId(plan, 'conversations', {
    module: 'conversations',
    id: record.conversationId,
  })
  const conversation = conversationId === null ? undefined : set.find('conversations', conversationId)
  const customerId =
    linkedId(plan, 'customers', { module: 'people', id: record.personId }) ?? conversation?.customerId ?? null
  const about = { module: 'calls', id: row.id, row: row.row }
  const isNamed = Boolean(record.personId ?? record.conversationId)
  if (isNamed && customerId === null && conversation === undefined) {
    const message = 'neither its person nor its conversation is here'
    plan.issue(about, { severity: 'error', code: 'PARENT_MISSING', message })
    return 'failed'
  }
  const id = context.ids.next('cal')
  set.put('calls', callOf(facts, plan, { id, row, customerId, conversationId: conversation?._id ?? null }))
  const owners = { customerId, conversationId: null }
  putPackageLink(plan, { kind: 'calls', row, entityKind: 'calls', entityId: id, ...owners, isMade: true })
  return 'created'
}

interface NewCallRow {
  id: string
  row: PackageRow<'calls'>
  customerId: string | null
  conversationId: string | null
}

function callOf(
  facts: PackageParts['facts'],
  plan: PagePlan,
  { id, row, customerId, conversationId }: NewCallRow,
): StoredCall {
  const { record } = row
  const about = { module: 'calls', id: row.id, row: row.row }
  const agentId = facts.agent(record.agentId)?.userId ?? null
  if (record.agentId && agentId === null) {
    const message = 'its agent is no user here'
    plan.issue(about, { severity: 'warning', code: 'MISSING_REFERENCE', message, column: 'agentId' })
  }
  const notes = cleanText(record.notes, { lengthMax: 5_000, hasLines: true })
  if (notes.isCut) {
    const message = 'notes are longer than they may be here'
    plan.issue(about, { severity: 'warning', code: 'SOURCE_TRUNCATED', message })
  }
  const { startedAt = null, endedAt = null, durationSeconds = null } = record
  const text = (value: string | null | undefined) => cleanText(value, { lengthMax: 40 }).text
  const [from, to] = [text(record.from), text(record.to)]
  const direction = record.direction ?? 'outbound'
  const call = newCall(
    { direction, from, to, customerId, conversationId, agentId },
    { id, tenantId: plan.context.store.tenantId, now: startedAt ?? endedAt ?? plan.now },
  )
  return {
    ...call,
    kind: record.kind ?? 'call',
    externalIds: [row.externalId],
    status: 'completed',
    startedAt,
    endedAt,
    durationSeconds,
    metadata: { ...call.metadata, notes: notes.text },
  }
}

/** Plans a rating: a conversation has one. */
export function planPackageRating(_: PackageParts, plan: PagePlan, row: PackageRow<'ratings'>): Outcome {
  const { record } = row
  const about = { module: 'ratings', id: row.id, row: row.row }
  const source = { module: 'conversations', id: record.conversationId } as const
  const id = linkedId(plan, 'conversations', source)
  const conversation = id === null ? undefined : plan.set.find('conversations', id)
  if (conversation === undefined) {
    plan.issue(about, { severity: 'error', code: 'PARENT_MISSING', message: 'its conversation is not here' })
    return 'failed'
  }
  const comment = cleanText(record.comment, { lengthMax: 5_000, hasLines: true }).text
  const rating = { score: Math.round(record.score), comment, at: record.at }
  const known = conversation.rating
  if (known !== null) {
    if (JSON.stringify(known) === JSON.stringify(rating)) return 'unchanged'
    const message = 'its conversation has a rating already'
    plan.issue(about, { severity: 'skipped', code: 'KIND_NOT_SUPPORTED', message })
    return 'skipped'
  }
  if (rating.score !== record.score) {
    const message = 'the score was rounded'
    plan.issue(about, { severity: 'warning', code: 'INVALID_VALUE', message, column: 'score' })
  }
  const link = linkOfConversation(plan, conversation)
  if (link !== undefined && link.madeBy !== plan.context.runId)
    keepBefore(plan, conversation, ['rating', 'customFields'])
  plan.set.put('conversations', {
    ...conversation,
    rating,
    // A score alone says nothing.
    customFields: { ...conversation.customFields, 'Rating scale': record.scale },
  })
  noteChange(plan, conversation)
  return 'created'
}

/** Plans an address to which nothing is sent. `known`: it is here already. */
export function planSuppression(
  { context }: PackageParts,
  plan: PagePlan,
  { row, known }: { row: PackageRow<'suppressions'>; known: ReadonlySet<string> },
): Outcome {
  const { record } = row
  const about = { module: 'suppressions', id: row.id, row: row.row }
  const address = normalizeEmail(record.address)
  if (!isEmail(record.address)) {
    plan.issue(about, { severity: 'error', code: 'INVALID_RECORD', message: 'is no e-mail address' })
    return 'failed'
  }
  if (known.has(address)) return 'unchanged'
  const id = context.ids.next('sup')
  const made: SuppressedAddress = {
    _id: id,
    tenantId: context.store.tenantId,
    address,
    status: '5.1.1',
    text: cleanText(record.reason, { lengthMax: 500 }).text,
    messageId: null,
    customerId: null,
    createdAt: plan.now,
    updatedAt: plan.now,
  }
  plan.set.put('suppressedAddresses', made)
  const owners = { customerId: null, conversationId: null }
  const link = { kind: 'suppressions', row, entityKind: 'suppressedAddresses', entityId: id } as const
  putPackageLink(plan, { ...link, ...owners, isMade: true })
  return 'created'
}

/** Plans a prepared reply. It stays at the undo of the import, as what the team has made of it meanwhile. */
export function planReply(
  { context }: PackageParts,
  plan: PagePlan,
  { row, taken }: { row: PackageRow<'replies'>; taken: Map<string, TeamReply> },
): Outcome {
  const about = { module: 'replies', id: row.id, row: row.row }
  const made = preparedReply(row.record)
  if (made === undefined) {
    plan.issue(about, { severity: 'error', code: 'INVALID_RECORD', message: 'has no text' })
    return 'failed'
  }
  const { shortcuts, unknown, isCut, title, content, contentType } = made
  const { digest } = teamReply({ title, content })
  const known = shortcuts.map((one) => taken.get(one))
  const namesakes = known.filter((one) => one?.title === title)
  // A second pass meets the reply of the first one.
  if (namesakes.some((one) => one?.digest === digest)) return 'unchanged'
  if (namesakes.some((one) => one?.isOfPage === false)) {
    const message = 'a reply with its title has another text here, and stays'
    plan.issue(about, { severity: 'skipped', code: 'CONFLICT_KEPT', message, column: 'content' })
    return 'skipped'
  }
  const shortcut = shortcuts[known.indexOf(undefined)]
  if (shortcut === undefined) {
    const message = `replies with its shortcut ${shortcuts[0]} are here already`
    plan.issue(about, { severity: 'skipped', code: 'ID_CONFLICT', message, column: 'shortcut' })
    return 'skipped'
  }
  if (unknown.length > 0) {
    const message = `has variables that are not known here: ${unknown.join(', ')}`
    plan.issue(about, { severity: 'warning', code: 'INVALID_VALUE', message, column: 'content' })
  }
  if (isCut) {
    const message = 'its text is longer than it may be here'
    plan.issue(about, { severity: 'warning', code: 'SOURCE_TRUNCATED', message })
  }
  taken.set(shortcut, { title, digest, isOfPage: true })
  const at = { createdAt: plan.now, updatedAt: plan.now }
  const of = { tenantId: context.store.tenantId, inboxIds: [], isShared: true, ownerId: null }
  plan.set.put('cannedReplies', {
    _id: context.ids.next('rep'),
    shortcut,
    title,
    content,
    contentType,
    ...of,
    ...at,
  })
  return 'created'
}

/** The kinds whose records are no rows here: what others take of them is there. */
export function planNamed(
  { facts, inboxes }: PackageParts,
  plan: PagePlan,
  { kind, row }: { kind: 'agents' | 'inboxes' | 'labels' | 'organisations'; row: PackageRow },
): Outcome {
  const about = { module: kind, id: row.id, row: row.row }
  if (kind === 'labels') return 'merged'
  if (kind === 'agents') {
    if (facts.agent(row.id)?.userId) return 'merged'
    const message = 'no user here has the e-mail address of this agent: the name stays'
    plan.issue(about, { severity: 'warning', code: 'AUTHOR_UNKNOWN', message })
    return 'skipped'
  }
  if (kind === 'inboxes') {
    if (inboxes[row.id] !== undefined) return 'merged'
    const message = 'the import names no inbox for it: its conversations are in the inbox of the import'
    plan.issue(about, { severity: 'warning', code: 'INBOX_NOT_MAPPED', message })
    return 'skipped'
  }
  const message = 'organisations are the company of their people here'
  plan.countIssue(about, { severity: 'skipped', code: 'KIND_NOT_SUPPORTED', message })
  return 'skipped'
}
