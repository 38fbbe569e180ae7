import { type Fields, openDocument } from '../../zendesk-emulator/src/records.ts'

const document = openDocument(new URL('../fields.json', import.meta.url))
const { record } = document
export const { documentedFields } = document

export interface AccountOptions {
  conversations?: number
  /** Messages of each conversation. */
  messages?: number
}

export const accountId = 7
const begunSeconds = Date.UTC(2024, 0, 1) / 1000
const hour = 3_600

/** An account with made-up records, which follow from their numbers. */
export class Account {
  readonly counts: Required<AccountOptions>
  url = ''
  /** The conversations, the one with the newest activity first. */
  readonly order: number[]
  readonly #activity = new Map<number, number>()
  readonly #added = new Map<number, string[]>()

  constructor({ conversations = 0, messages = 6 }: AccountOptions) {
    this.counts = { conversations, messages }
    this.order = Array.from({ length: conversations }, (_, index) => conversations - index)
  }

  agents(): Fields[] {
    return [1, 2].map((id) =>
      record('agent', {
        id,
        name: `Agent ${id}`,
        email: `agent${id}@acme.test`,
        role: id === 1 ? 'administrator' : 'agent',
      }),
    )
  }

  inboxes(): Fields[] {
    return [
      record('inbox', {
        id: 11,
        name: 'Support',
        channel_type: 'Channel::Email',
        email: 'support@acme.test',
        imap_password: 'imap-secret',
        smtp_password: 'smtp-secret',
      }),
      record('inbox', { id: 12, name: 'Website', channel_type: 'Channel::WebWidget' }),
    ]
  }

  labels(): Fields[] {
    return [
      record('label', { id: 1, title: 'billing', color: '#f00', description: null, show_on_sidebar: true }),
    ]
  }

  replies(): Fields[] {
    return [record('reply', { id: 5, short_code: 'hi', content: 'Hello **you**' })]
  }

  definitions(model: number): Fields[] {
    return model === 1
      ? [
          record('definition', {
            id: 1,
            attribute_key: 'plan',
            attribute_display_name: 'Plan',
            attribute_model: 'contact_attribute',
          }),
        ]
      : [record('definition', { id: 2, attribute_key: 'order', attribute_display_name: 'Order number' })]
  }

  /** Every fifth contact has neither an address nor a number, so no list shows it. */
  contact(id: number): Fields {
    const isListed = id % 5 !== 0
    return record('contact', {
      id,
      name: `Customer ${id}`,
      email: isListed ? `customer${id}@example.com` : null,
      phone_number: isListed && id % 2 === 0 ? `+1555000${String(id).padStart(4, '0')}` : null,
      blocked: id % 9 === 8,
      identifier: null,
      additional_attributes: isListed ? { company_name: 'Example Works', city: 'Berlin' } : {},
      custom_attributes: { plan: 'gold' },
      created_at: begunSeconds + id,
    })
  }

  listedContacts(): Fields[] {
    const all = Array.from({ length: Math.ceil(this.counts.conversations / 2) }, (_, index) =>
      this.contact(index + 1),
    )
    return all.filter((contact) => contact['email'] !== null)
  }

  notesOf(contactId: number): Fields[] {
    if (contactId !== 1) return []
    return [
      record('note', {
        id: 3,
        content: 'Calls back',
        user: this.agents()[0],
        created_at: begunSeconds,
        contact_id: 1,
      }),
    ]
  }

  conversation(id: number): Fields {
    const inbox = id % 2 === 0 ? 12 : 11
    const lastActivity = this.#activity.get(id) ?? begunSeconds + id * hour
    return record('conversation', {
      id,
      account_id: accountId,
      inbox_id: inbox,
      status: ['open', 'resolved', 'pending', 'snoozed'][id % 4],
      snoozed_until: id % 4 === 3 ? '2030-01-01T00:00:00Z' : null,
      priority: id % 3 === 0 ? 'urgent' : null,
      labels: id % 2 === 0 ? ['billing'] : [],
      additional_attributes:
        inbox === 11 ? { mail_subject: `Question ${id}` } : { referer: 'https://acme.test/' },
      custom_attributes: { order: `A-${id}` },
      created_at: begunSeconds + id * hour - 1_000,
      timestamp: lastActivity,
      last_activity_at: lastActivity,
      first_reply_created_at: 0,
      meta: {
        sender: this.contact(Math.ceil(id / 2)),
        channel: inbox === 11 ? 'Channel::Email' : 'Channel::WebWidget',
        ...(id % 3 === 1 && { assignee: this.agents()[id % 2] }),
      },
      messages: this.messagesOf(id).slice(-1),
    })
  }

  messagesOf(conversationId: number): Fields[] {
    const made = Array.from({ length: this.counts.messages }, (_, number) =>
      this.#message(conversationId, number),
    )
    const added = (this.#added.get(conversationId) ?? []).map((content, index) => ({
      ...this.#message(conversationId, 900 + index * 10),
      content,
      content_attributes: {},
    }))
    return [...made, ...added]
  }

  /** In turn: from the customer, from an agent, a note, an activity, a template, from a bot. */
  #message(conversationId: number, number: number): Fields {
    const id = conversationId * 1_000 + number
    const kind = number % 6
    const contact = this.contact(Math.ceil(conversationId / 2))
    const agent = { ...this.agents()[0], type: 'user' }
    const isMail = conversationId % 2 === 1 && kind === 0
    const senders = [
      { ...contact, type: 'contact' },
      agent,
      agent,
      null,
      null,
      { id: 4, name: 'Helper', type: 'agent_bot' },
    ]
    return record('message', {
      id,
      conversation_id: conversationId,
      content: kind === 3 ? 'Conversation was resolved' : `Message ${number} of ${conversationId}`,
      message_type: [0, 1, 1, 2, 3, 1][kind],
      private: kind === 2,
      status: 'read',
      source_id: isMail ? `m-${id}@mail.example.com` : null,
      sender: senders[kind],
      created_at: begunSeconds + conversationId * hour + number * 60,
      content_type: 'text',
      content_attributes: isMail
        ? {
            email: {
              subject: `Question ${conversationId}`,
              to: ['support@acme.test'],
              cc: ['boss@example.com'],
              message_id: `m-${id}@mail.example.com`,
              html_content: { full: `<p>Mail ${id}</p>` },
            },
          }
        : { deleted: number === 1 && conversationId % 7 === 0 },
      ...(number === 0 && conversationId % 4 === 0 && { attachments: this.#filesOf(id) }),
    })
  }

  #filesOf(messageId: number): Fields[] {
    const address = `${this.url}/rails/active_storage/blobs/redirect/t${messageId}/my%20report.pdf`
    return [
      record('attachment', {
        id: messageId,
        message_id: messageId,
        file_type: 'file',
        data_url: address,
        file_size: 340,
      }),
      record('attachment', {
        id: messageId + 1,
        file_type: 'location',
        coordinates_lat: 52.5,
        coordinates_long: 13.4,
        fallback_title: 'Berlin',
      }),
    ]
  }

  ratings(): Fields[] {
    return this.order
      .filter((id) => id % 10 === 0)
      .map((id) =>
        record('rating', {
          id,
          conversation_id: id,
          rating: 4,
          feedback_message: 'Good',
          created_at: begunSeconds + id * hour,
        }),
      )
  }

  /** A customer writes: the conversation moves to the first page. */
  write(id: number, content: string): void {
    this.#added.set(id, [...(this.#added.get(id) ?? []), content])
    this.#activity.set(id, Math.floor(Date.now() / 1000))
    this.order.splice(this.order.indexOf(id), 1)
    this.order.unshift(id)
  }
}
