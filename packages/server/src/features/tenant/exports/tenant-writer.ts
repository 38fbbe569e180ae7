import { isPhoneNumber, shownStatus } from '@crmkit/core'
import type { PackageAuthor, PackageRecordInput } from '@crmkit/core/package'
import type { PackageWriter } from '@crmkit/core/package-folder'
import type { Storage, TenantStore } from '../../../ports/storage.ts'
import { rowsOf } from '../../../shared/people-of-address.ts'
import { readAll } from '../../../shared/read-all.ts'
import type { ConversationRecord } from '../../../storage/kinds/conversations.ts'
import type { CustomerAddressRecord } from '../../../storage/kinds/customer-addresses.ts'
import type { CustomerRecord } from '../../../storage/kinds/customers.ts'
import type { Kind, Records } from '../../../storage/kinds/registry.ts'
import type { ExportPlace } from '../../../storage/kinds/tenant-exports.ts'
import type { Stored, TenantId } from '../../../storage/records.ts'

const messagesPerPage = 500

/** The kinds that a package has of a tenant, in the order in which they are written, with the rows of a page. */
const exportedKinds = {
  users: 500,
  inboxes: 500,
  customers: 500,
  conversations: 50,
  calls: 500,
  suppressedAddresses: 500,
  cannedReplies: 500,
} as const satisfies Readonly<Partial<Record<Kind, number>>>
type ExportedKind = keyof typeof exportedKinds
const order = Object.keys(exportedKinds) as readonly ExportedKind[]

export const firstPlace: ExportPlace = { kind: 'users', after: '' }

type Message = Records['messages']
type Attachment = Message['attachments'][number]

/** The bytes of a file in a package. */
export type StoredFile = { sha256: string; size: number } | { sha256: null; size: number; missing: string }

interface TenantWriterParts {
  storage: Pick<Storage, 'system' | 'forTenant'>
  tenantId: TenantId
  writer: PackageWriter
  /** Puts the bytes of a file into the package. */
  storeFile(attachment: Attachment): Promise<StoredFile>
}

/** Writes everything of a tenant that a package can have, page by page. Memory holds one page. */
export class TenantWriter {
  readonly #parts: TenantWriterParts
  readonly #writer: PackageWriter
  readonly #store: TenantStore

  constructor(parts: TenantWriterParts) {
    this.#parts = parts
    this.#writer = parts.writer
    this.#store = parts.storage.forTenant(parts.tenantId)
  }

  /** Writes the page at a place, and returns the next place; undefined behind the last page. */
  async writePage({ kind, after }: ExportPlace): Promise<ExportPlace | undefined> {
    const at = order.find((one) => one === kind) ?? 'users'
    const last = await this.#writeRows(at, after)
    if (last !== undefined) return { kind: at, after: last }
    const next = order[order.indexOf(at) + 1]
    if (next !== undefined) return { kind: next, after: '' }
    await this.#nameLeftOut()
    return undefined
  }

  /** Returns the id of the last row of the page; undefined when it was the last page of the kind. */
  async #writeRows(kind: ExportedKind, after: string): Promise<string | undefined> {
    const { storage, tenantId } = this.#parts
    const limit = exportedKinds[kind]
    const page = await storage.system.readRows({ kind, tenantId, after, limit })
    if (page.damaged > 0)
      this.#writer.leaveOut({ kind, count: page.damaged, reason: 'the rows cannot be read' })
    for (const row of page.rows) await this.#write[kind](row as never)
    return page.last
  }

  readonly #write: { readonly [K in ExportedKind]: (row: Stored<Records[K]>) => Promise<void> } = {
    users: ({ _id: id, email, firstName, lastName, role, isActive }) => {
      const name = [firstName, lastName].filter(Boolean).join(' ') || email
      return this.#writer.write('agents', { id, email, name, role, isActive })
    },
    inboxes: ({ _id: id, name, channel, email }) =>
      this.#writer.write('inboxes', { id, name, channel, address: email?.address ?? null }),
    customers: (customer) => this.#writePerson(customer),
    conversations: (conversation) => this.#writeConversation(conversation),
    calls: (call) => this.#writer.write('calls', callOf(call)),
    suppressedAddresses: ({ address, text, status }) =>
      this.#writer.write('suppressions', { address, reason: text ?? status }),
    cannedReplies: async ({ _id: id, title, content, contentType, shortcut, isShared }) => {
      if (isShared) await this.#writer.write('replies', { id, title, content, contentType, shortcut })
      else this.#writer.leaveOut({ kind: 'replies', count: 1, reason: 'replies of one person' })
    },
  }

  async #writePerson(customer: Stored<CustomerRecord>): Promise<void> {
    const { _id: id, profile, jobTitle, tags, customFields, createdAt, updatedAt } = customer
    const { emails, phones } = await this.#furtherOf(customer)
    const { firstName, lastName, company } = profile
    await this.#writer.write('people', {
      id,
      firstName,
      lastName,
      emails: [
        ...(profile.email === null ? [] : [{ address: profile.email, isPrimary: true }]),
        ...emails.map((address) => ({ address })),
      ],
      phones: [
        ...(profile.phone === null ? [] : [{ number: profile.phone, isPrimary: true }]),
        ...phones.map((number) => ({ number })),
      ],
      company,
      jobTitle,
      tags,
      tier: customer.tier,
      status: customer.status,
      isBlocked: (customer.blockedAt ?? null) !== null,
      createdAt,
      updatedAt,
      customFields: customFields as Record<string, never>,
    })
  }

  /** Returns the addresses and numbers that a customer has beside those of the profile, and names that there were former ones. */
  async #furtherOf(customer: Stored<CustomerRecord>): Promise<{ emails: string[]; phones: string[] }> {
    const rows: CustomerAddressRecord[] = []
    if (customer.hasMoreAddresses) for await (const row of rowsOf(this.#store, customer._id)) rows.push(row)
    const [phones, emails] = [true, false].map((isPhone) => {
      const some = rows.filter(({ address }) => isPhoneNumber(address) === isPhone)
      const current = some.filter(({ until }) => until === null).map(({ address }) => address)
      const count = some.length - current.length
      const reason = isPhone ? 'former phone numbers' : 'former e-mail addresses'
      if (count > 0) this.#writer.leaveOut({ kind: 'people', count, reason })
      return current
    })
    return { emails: emails ?? [], phones: phones ?? [] }
  }

  async #writeConversation(conversation: Stored<ConversationRecord>): Promise<void> {
    const { _id: id, subject, priority, channel, labels, rating, customFields } = conversation
    const { snoozedUntil, createdAt, updatedAt, closedAt, lastMessageAt, firstResponseAt } = conversation
    await this.#writer.write('conversations', {
      id,
      subject,
      status: shownStatus(conversation),
      snoozedUntil,
      priority,
      channel,
      personId: conversation.customerId,
      participants: (conversation.participants ?? []).map(({ address, name }) => ({ address, name })),
      assigneeId: conversation.assignedTo,
      inboxId: conversation.inboxId,
      labels,
      createdAt,
      updatedAt,
      closedAt,
      lastMessageAt,
      firstResponseAt,
      previousId: conversation.previousConversationId,
      customFields: customFields as Record<string, never>,
    })
    if (rating !== null) {
      const { 'Rating scale': scale = 5 } = customFields
      const { score, comment, at } = rating
      await this.#writer.write('ratings', { conversationId: id, score, scale: Number(scale), comment, at })
    }
    const messages = readAll<Message>((cursor) =>
      this.#store.messages.listRows({
        conversationId: id,
        sort: 'createdAt',
        page: 1,
        limit: messagesPerPage,
        cursor,
      }),
    )
    for await (const message of messages) await this.#writeMessage(message)
  }

  async #writeMessage(message: Message): Promise<void> {
    const { type } = message
    if (type === 'activity') {
      this.#writer.leaveOut({ kind: 'messages', count: 1, reason: 'activities' })
      return
    }
    const attachmentIds = await this.#writeFiles(message)
    const common = {
      id: message._id,
      conversationId: message.conversationId,
      author: authorOf(message),
      content: contentOf(message),
      contentType: message.contentType,
      createdAt: message.createdAt,
      attachmentIds,
    }
    if (type === 'note') return this.#writer.write('notes', common)
    const { email, direction, status, choices = [], choice = null } = message
    return this.#writer.write('messages', {
      ...common,
      direction: direction === 'inbound' ? 'inbound' : 'outbound',
      status,
      ...(choices.length > 0 && { choices }),
      ...(choice && { choice }),
      ...(email && {
        subject: email.subject,
        to: email.to,
        cc: email.cc,
        messageId: email.messageId,
        inReplyTo: email.inReplyTo,
        truncated: email.truncated,
      }),
    })
  }

  async #writeFiles({ attachments }: Message): Promise<string[]> {
    for (const attachment of attachments) {
      const { _id: id, filename, contentType, isInline = false, contentId = null } = attachment
      const stored = await this.#parts.storeFile(attachment)
      await this.#writer.write('attachments', { id, filename, contentType, ...stored, isInline, contentId })
    }
    return attachments.map(({ _id }) => _id)
  }

  /** Names what a tenant has and a package does not. */
  async #nameLeftOut(): Promise<void> {
    const { storage, tenantId } = this.#parts
    for (const [kind, reason] of Object.entries(leftOutKinds)) {
      const count = await storage.system.countRows({ kind: kind as Kind, tenantId })
      if (count > 0) this.#writer.leaveOut({ kind, count, reason })
    }
  }
}

/** Kinds of rows that no package has, each with the reason. */
const leftOutKinds: Readonly<Partial<Record<Kind, string>>> = {
  sessions: 'sign-ins end with the installation',
  apiKeys: 'keys are secrets of the installation',
  webhooks: 'webhooks and their secrets are set up again',
  integrations: 'connections to other systems are set up again',
  mailKeys: 'keys of mail are secrets of the installation',
  inboundMails: 'the messages of mails are there, the mails as they arrived are not',
  activities: 'the conversations are there as they are, their changes until now are not',
  drafts: 'drafts belong to their authors',
  widgetSessions: 'sessions of visitors end with the installation',
  auditLog: 'the audit log is about the installation',
  privacyRequests: 'requests for privacy are about users of the installation',
}

function authorOf({ sender, email }: Message): PackageAuthor {
  const { type, _id: id, name } = sender
  if (type === 'user') return { type: 'agent', id, name }
  if (type !== 'customer') return { type: 'system', name }
  if (id !== null) return { type: 'person', id, name, email: email?.from?.address ?? null }
  return { type: 'participant', name, email: email?.from?.address ?? null }
}

const ownImage = /<img src="\/api\/v1\/attachments\/(att_[0-9A-Za-z]+)"/g

/** The images of a text are named by their files. */
function contentOf({ content, contentType }: Message): string {
  return contentType === 'html' ? content.replace(ownImage, '<img src="cid:$1"') : content
}

function callOf(call: Records['calls']): PackageRecordInput<'calls'> {
  const { _id: id, kind, direction, from, to, agentId, startedAt, endedAt, durationSeconds, metadata } = call
  return {
    id,
    kind,
    direction,
    from,
    to,
    personId: call.customerId,
    conversationId: call.conversationId,
    agentId,
    startedAt,
    endedAt,
    durationSeconds,
    notes: metadata.notes,
  }
}
