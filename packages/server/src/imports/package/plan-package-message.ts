import {
  contentLengthMax,
  customerSender,
  emptyMessageEmail,
  isEmail,
  type MadeChoice,
  type MessageEmail,
  newConversation,
  type StoredMessage,
} from '@crmkit/core'
import type { PackageAuthor, PackageRecord } from '@crmkit/core/package'
import { cleanText } from '../../connectors/clean-text.ts'
import { fileUrl, withStoredImages } from '../../mail/parse/inline-images.ts'
import { safeMailHtml } from '../../mail/parse/safe-mail-html.ts'
import { customerOfRecord } from '../../shared/customer-of-record.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import { externalIdOf, linkIdOf } from '../plan/import-context.ts'
import type { Outcome, PagePlan } from '../plan/page-plan.ts'
import { notesModule } from '../plan/planned-record.ts'
import { putOwnLink } from '../plan/row-writes.ts'
import { factNames, importedFacts } from '../rules/message-facts.ts'
import type { FoundBytes } from './package-bytes.ts'
import {
  linkedId,
  linkOfConversation,
  noteChange,
  type PackageParts,
  type PackageRow,
  putPackageLink,
} from './package-page.ts'
import { importInboxOf, keepBefore } from './plan-package-conversation.ts'

type Kind = 'messages' | 'notes'
type Row = PackageRow<Kind>
type Files = ReadonlyMap<string, FoundBytes | undefined>

/** The links that a message needs beside its own. */
export function linksOfMessage({
  record,
}: Row): { module: 'people' | 'conversations' | 'messages'; id: string }[] {
  const personId = 'personId' in record ? record.personId : null
  const choice = 'choice' in record ? record.choice : null
  const people = [record.author.type === 'person' ? record.author.id : null, personId]
  return [
    ...(record.conversationId ? [{ module: 'conversations' as const, id: record.conversationId }] : []),
    ...(choice ? [{ module: 'messages' as const, id: choice.messageId }] : []),
    ...people.flatMap((id) => (id ? [{ module: 'people' as const, id }] : [])),
  ]
}

/** Plans a message or a note of a conversation, or a note about a person. */
export function planPackageMessage(
  parts: PackageParts,
  plan: PagePlan,
  { kind, row, files }: { kind: Kind; row: Row; files: Files },
): Outcome {
  const { set } = plan
  const about = { module: kind, id: row.id, row: row.row }
  const link = set.find('importLinks', row.linkId)
  // A message of the past does not change.
  if (link !== undefined) return 'unchanged'
  const conversation = conversationOf(parts, plan, row)
  if (conversation === undefined) {
    plan.issue(about, { severity: 'error', code: 'PARENT_MISSING', message: 'its conversation is not here' })
    return 'failed'
  }
  const customer =
    conversation.customerId === null ? undefined : set.find('customers', conversation.customerId)
  const id = parts.context.ids.next('msg')
  const message = messageOf(parts, plan, { id, kind, row, conversation, customer, files })
  set.put('messages', message)
  for (const name of row.record.attachmentIds ?? [])
    plan.writes.push(...(files.get(name)?.writesFor(id, plan.now) ?? []))
  count(plan, { conversation, message })
  putPackageLink(plan, {
    kind,
    row,
    entityKind: 'messages',
    entityId: id,
    customerId: conversation.customerId,
    conversationId: conversation._id,
    isMade: true,
  })
  return 'created'
}

function conversationOf(
  parts: PackageParts,
  plan: PagePlan,
  { record }: Row,
): ConversationRecord | undefined {
  const { set } = plan
  if (record.conversationId) {
    const source = { module: 'conversations', id: record.conversationId } as const
    const id = linkedId(plan, 'conversations', source)
    return id === null ? undefined : set.find('conversations', id)
  }
  const personId = 'personId' in record ? record.personId : null
  const customerId = linkedId(plan, 'customers', { module: 'people', id: personId })
  const customer = customerId === null ? undefined : set.find('customers', customerId)
  return customer && notesOf(parts, plan, customer)
}

export function notesLink({ context }: Pick<PackageParts, 'context'>, customerId: string): string {
  return linkIdOf(context, { module: notesModule, id: customerId })
}

/** Returns the conversation of the notes about a customer. */
function notesOf(parts: PackageParts, plan: PagePlan, customer: CustomerRecord): ConversationRecord {
  const { context, set, now } = plan
  const linkId = notesLink(parts, customer._id)
  const link = set.find('importLinks', linkId)
  const found = link && set.find('conversations', link.entityId)
  if (found) return found
  const id = context.ids.next('con')
  const made = newConversation(
    { subject: 'Imported notes', inboxId: importInboxOf(parts, plan), customerId: customer._id },
    { id, tenantId: context.store.tenantId, now },
  )
  const conversation: ConversationRecord = { ...made, status: 'closed', closedAt: now, importedSeq: 0 }
  set.put('conversations', conversation)
  putOwnLink(
    plan,
    {
      linkId,
      externalId: externalIdOf(context, { module: notesModule, id: customer._id }),
      module: notesModule,
    },
    { entityKind: 'conversations', entityId: id, customerId: customer._id, conversationId: id, isMade: true },
  )
  return conversation
}

interface NewMessage {
  id: string
  kind: Kind
  row: Row
  conversation: ConversationRecord
  customer: CustomerRecord | undefined
  files: Files
}

function messageOf(parts: PackageParts, plan: PagePlan, made: NewMessage): StoredMessage {
  const { id, kind, row, conversation, customer, files } = made
  const { record, externalId } = row
  const { createdAt } = record
  const ids = record.attachmentIds ?? []
  const missing = ids.filter((name) => files.get(name) === undefined)
  const { content, contentType } = contentOf(parts, plan, { kind, row, files, missing })
  const message = kind === 'messages' ? (record as PackageRecord<'messages'>) : undefined
  const direction = message?.direction ?? 'internal'
  const status = message?.status ?? 'sent'
  return {
    _id: id,
    tenantId: conversation.tenantId,
    conversationId: conversation._id,
    type: kind === 'messages' ? 'reply' : 'note',
    direction,
    sender: senderOf(parts, plan, { row, kind, customer }),
    content,
    contentType,
    attachments: ids.flatMap((name) => files.get(name)?.shown ?? []),
    // Nothing sends it any more.
    status: status === 'queued' ? 'sent' : status,
    clientMessageId: null,
    externalId,
    email: message ? emailOf(message) : null,
    recipients: message?.direction === 'outbound' ? recipientsOf(message) : [],
    via: null,
    mentions: [],
    draftedBy: null,
    choices: message?.direction === 'outbound' ? (message.choices ?? []) : [],
    choice: message ? choiceOf(plan, message) : null,
    sentAt: null,
    createdAt,
    updatedAt: createdAt,
  }
}

/** The message that offered it is one of the package, and stands before it. */
function choiceOf(plan: PagePlan, { choice }: PackageRecord<'messages'>): MadeChoice | null {
  const messageId = linkedId(plan, 'messages', { module: 'messages', id: choice?.messageId ?? null })
  return choice && messageId !== null ? { messageId, choiceId: choice.choiceId } : null
}

function contentOf(
  { facts }: PackageParts,
  plan: PagePlan,
  { kind, row, files, missing }: Pick<NewMessage, 'kind' | 'row' | 'files'> & { missing: readonly string[] },
): Pick<StoredMessage, 'content' | 'contentType'> {
  const { content, contentType, attachmentIds } = row.record
  const notes = missing.map((id) => `[${facts.attachment(id)?.filename ?? 'a file'}: not in the import]`)
  const about = { module: kind, id: row.id, row: row.row }
  const cut = () =>
    plan.issue(about, {
      severity: 'warning',
      code: 'SOURCE_TRUNCATED',
      message: 'content is longer than it may be here',
    })
  if (contentType === 'html') {
    const ids = attachmentIds ?? []
    const imageUrl = (src: string) => {
      const name = /^cid:(.*)$/i.exec(src)?.[1]
      const index = ids.findIndex((id) => id === name || files.get(id)?.contentId === name)
      return name === undefined || index < 0 || files.get(ids[index] ?? '') === undefined
        ? undefined
        : fileUrl(index)
    }
    const { html, truncated } = safeMailHtml(content, imageUrl)
    if (truncated) cut()
    const stored = withStoredImages(
      html,
      ids.map((id) => files.get(id)?.shown._id ?? ''),
    )
    return { content: [stored, ...notes.map((note) => `<p>${escapeText(note)}</p>`)].join('\n'), contentType }
  }
  const { text, isCut } = cleanText(content, { lengthMax: contentLengthMax, hasLines: true })
  if (isCut) cut()
  return { content: [text ?? '', ...notes].filter((part) => part !== '').join('\n\n'), contentType }
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function senderOf(
  { facts }: PackageParts,
  plan: PagePlan,
  { row, kind, customer }: Pick<NewMessage, 'row' | 'kind' | 'customer'>,
): StoredMessage['sender'] {
  const { author } = row.record
  const name = cleanText(author.name ?? null, { lengthMax: 200 }).text
  if (author.type === 'system') return { type: 'system', _id: null, name }
  if (author.type === 'participant')
    return { type: 'customer', _id: null, name: name ?? author.email ?? null }
  if (author.type === 'agent') return agentSender(facts, plan, { author, row, kind, name })
  const id = linkedId(plan, 'customers', { module: 'people', id: author.id })
  const person = author.id ? (id === null ? undefined : plan.set.find('customers', id)) : customer
  if (person === undefined) return { type: 'customer', _id: null, name: name ?? author.email ?? null }
  const sender = customerSender(customerOfRecord(person))
  return { ...sender, name: name ?? sender.name }
}

interface AgentOfRow extends Pick<NewMessage, 'row' | 'kind'> {
  author: PackageAuthor
  name: string | null
}

function agentSender(
  facts: PackageParts['facts'],
  plan: PagePlan,
  { author, row, kind, name }: AgentOfRow,
): StoredMessage['sender'] {
  const agent = facts.agent(author.id)
  const userId = agent?.userId ?? facts.userOf(author.email)
  // An agent of the package without a user is named there, once.
  if (userId === null && agent === undefined) {
    plan.countIssue(
      { module: kind, id: row.id, row: row.row },
      {
        severity: 'warning',
        code: 'AUTHOR_UNKNOWN',
        message: 'no user here has the e-mail address of this agent: the name stays',
        column: 'author',
        value: author.email ?? author.name ?? null,
      },
    )
  }
  return { type: 'user', _id: userId, name: name ?? agent?.name ?? null }
}

const recipientsMax = 50

function mailboxes(list: PackageRecord<'messages'>['to']) {
  return (list ?? [])
    .filter(({ address }) => isEmail(address))
    .slice(0, recipientsMax)
    .map(({ address, name = null }) => ({ address, name }))
}

/** The id without its brackets, as mails are stored. */
function bareId(id: string | null | undefined): string | null {
  const bare = /<([^<>]+)>\s*$/.exec(id ?? '')?.[1] ?? id?.trim()
  return bare ? bare.slice(0, 1_000) : null
}

/** Returns what is known of the mail; null for a message of which nothing says that it was one. */
function emailOf(message: PackageRecord<'messages'>): MessageEmail | null {
  const { author, subject = null, createdAt, truncated } = message
  const [to, cc] = [mailboxes(message.to), mailboxes(message.cc)]
  const messageId = bareId(message.messageId)
  const inReplyTo = bareId(message.inReplyTo)
  const isMail = messageId !== null || inReplyTo !== null || subject !== null || to.length + cc.length > 0
  if (!isMail) return null
  const from = author.email ? { address: author.email, name: author.name ?? null } : null
  const facts = {
    from,
    to,
    cc,
    subject,
    messageId,
    inReplyTo,
    date: createdAt,
    truncated: truncated ?? false,
  }
  return { ...emptyMessageEmail, ...facts }
}

function recipientsOf(message: PackageRecord<'messages'>): NonNullable<StoredMessage['recipients']> {
  const { status } = message
  const sent = status === 'delivered' || status === 'failed' ? status : 'sent'
  const as =
    (kind: 'to' | 'cc') =>
    ({ address }: { address: string }) => ({
      address,
      kind,
      status: sent as 'sent' | 'delivered' | 'failed',
      code: null,
      text: null,
      bouncedAt: null,
      complainedAt: null,
    })
  return [...mailboxes(message.to).map(as('to')), ...mailboxes(message.cc).map(as('cc'))]
}

/** Counts a message in its conversation. Nobody wrote it here, so it is unread for nobody. */
function count(
  plan: PagePlan,
  { conversation, message }: { conversation: ConversationRecord; message: StoredMessage },
): void {
  const { set, context } = plan
  const { firstResponseAt, lastMessageAt } = conversation
  const { createdAt, type, direction, sender } = message
  const isNote = type === 'note'
  const link = linkOfConversation(plan, conversation)
  const worksOut = link?.importedValues['worksOutFirstResponse'] === true
  const isResponse = worksOut && direction === 'outbound' && sender.type === 'user'
  const isFirst = isResponse && (firstResponseAt === null || createdAt < firstResponseAt)
  const isLater = !isNote && (lastMessageAt === null || createdAt > lastMessageAt)
  if (link && link.madeBy !== context.runId) {
    const names = ['messageCount', 'seq', 'importedSeq', ...factNames, 'firstResponseAt', 'updatedAt']
    keepBefore(plan, conversation, names)
  }
  set.put('conversations', {
    ...conversation,
    messageCount: conversation.messageCount + (isNote ? 0 : 1),
    seq: (conversation.seq ?? 0) + 1,
    importedSeq: (conversation.importedSeq ?? 0) + 1,
    ...importedFacts(conversation, message),
    firstResponseAt: isFirst ? createdAt : firstResponseAt,
    updatedAt: isLater && createdAt > conversation.updatedAt ? createdAt : conversation.updatedAt,
  })
  noteChange(plan, conversation)
}
