import { type Fields, openDocument } from '../../zendesk-emulator/src/records.ts'

const document = openDocument(new URL('../fields.json', import.meta.url))
const { record } = document
export const { documentedFields } = document

export interface AccountOptions {
  conversations?: number
  /** Parts of each conversation beside its source. */
  parts?: number
}

const begunSeconds = Date.UTC(2024, 0, 1) / 1000
const hour = 3_600
const partsMax = 500

/** A workspace with made-up records, which follow from their numbers. */
export class Account {
  readonly counts: Required<AccountOptions>
  url = ''
  /** Where files are: another host than that of the API. */
  fileUrl = ''
  readonly #changed = new Map<number, string>()

  constructor({ conversations = 0, parts = 5 }: AccountOptions) {
    this.counts = { conversations, parts }
  }

  admins(): Fields[] {
    return [1, 2].map((id) =>
      record('admin', { type: 'admin', id: String(id), name: `Admin ${id}`, email: `admin${id}@acme.test` }),
    )
  }

  companies(): Fields[] {
    return [
      record('company', {
        type: 'company',
        id: 'c1',
        name: 'Example Works',
        website: 'https://example.com',
        custom_attributes: {},
      }),
    ]
  }

  tags(): Fields[] {
    return [record('tag', { type: 'tag', id: '9', name: 'vip' })]
  }

  macros(): Fields[] {
    return [
      record('macro', {
        type: 'macro',
        id: 'm1',
        name: 'Thanks',
        body: '<p>Thanks</p>',
        body_text: 'Thanks',
      }),
    ]
  }

  contactId(number: number): string {
    return number.toString(16).padStart(24, '0')
  }

  contact(number: number): Fields {
    const id = this.contactId(number)
    return record('contact', {
      type: 'contact',
      id,
      role: number % 2 === 0 ? 'lead' : 'user',
      name: `Customer ${number}`,
      email: `customer${number}@example.com`,
      phone: null,
      has_hard_bounced: number % 5 === 0,
      unsubscribed_from_emails: number % 7 === 0,
      custom_attributes: { plan: 'gold' },
      tags: {
        type: 'list',
        data: number === 1 ? [{ type: 'tag', id: '9', url: '/tags/9' }] : [],
        has_more: false,
      },
      companies: { data: number === 1 ? [{ id: 'c1', type: 'company' }] : [], has_more: false },
      notes: { data: [], total_count: number === 1 ? 1 : 0, has_more: false },
      created_at: begunSeconds + number,
      updated_at: begunSeconds + number,
    })
  }

  /** Archived contacts are in no list. */
  contacts(): Fields[] {
    const all = Array.from({ length: Math.ceil(this.counts.conversations / 2) }, (_, index) => index + 1)
    return all.filter((number) => number % 6 !== 0).map((number) => this.contact(number))
  }

  notes(): Fields[] {
    return [
      record('note', {
        type: 'note',
        id: '55',
        body: '<p>Calls back</p>',
        author: this.admins()[0],
        created_at: begunSeconds,
      }),
    ]
  }

  conversation(number: number, isWhole: boolean): Fields {
    const contact = Math.ceil(number / 2)
    const author = record('author', {
      type: 'user',
      id: this.contactId(contact),
      name: `Customer ${contact}`,
      email: `customer${contact}@example.com`,
    })
    const state = ['open', 'closed', 'snoozed'][number % 3]
    return record('conversation', {
      type: 'conversation',
      id: String(number),
      title: number % 2 === 0 ? `<p>Title ${number}</p>` : null,
      created_at: begunSeconds + number * hour,
      updated_at: this.#changed.has(number)
        ? Math.floor(Date.now() / 1000)
        : begunSeconds + number * hour + 60,
      state,
      open: state === 'open',
      snoozed_until: state === 'snoozed' ? begunSeconds + 900_000_000 : null,
      priority: 'urgent',
      admin_assignee_id: number % 2,
      team_assignee_id: 0,
      tags: { type: 'tag.list', tags: number % 4 === 0 ? this.tags() : [] },
      contacts: { type: 'contact.list', contacts: [{ type: 'contact', id: this.contactId(contact) }] },
      custom_attributes: { Order: `A-${number}` },
      statistics: {
        last_close_at: state === 'closed' ? begunSeconds + number * hour + 900 : null,
        first_admin_reply_at: null,
      },
      conversation_rating:
        number % 5 === 0
          ? record('rating', { rating: 5, remark: 'Great', created_at: begunSeconds + number * hour })
          : null,
      source: record('source', {
        type: number % 2 === 0 ? 'email' : 'conversation',
        id: `s${number}`,
        subject: `<p>Question ${number}</p>`,
        body: `<p>Question ${number} <img src="${this.fileUrl}/picture${number}.png?a=1&amp;b=2"></p>`,
        author,
        attachments: [],
        redacted: false,
      }),
      ...(isWhole && { conversation_parts: this.#partsOf(number, author) }),
    })
  }

  #partsOf(number: number, author: Fields) {
    const words = this.#changed.get(number)
    const all = Array.from({ length: this.counts.parts }, (_, index) => this.#part(number, index, author))
    if (words !== undefined)
      all.push({ ...this.#part(number, 900, author), part_type: 'comment', author, body: words })
    return {
      type: 'conversation_part.list',
      conversation_parts: all.slice(-partsMax),
      total_count: all.length,
    }
  }

  /** In turn: from an agent, a note, an event, from a bot, redacted. */
  #part(number: number, index: number, author: Fields): Fields {
    const id = String(number * 10_000 + index)
    const kind = index % 5
    const agent = record('author', { type: 'admin', id: '1', name: 'Admin 1', email: 'admin1@acme.test' })
    const bot = record('author', { type: 'bot', id: '7', name: 'Fin' })
    return record('part', {
      type: 'conversation_part',
      id,
      part_type: ['comment', 'note', 'close', 'comment', 'comment'][kind],
      body: kind === 2 || kind === 4 ? null : `<p>Part ${index} of ${number}</p>`,
      author: [agent, agent, agent, bot, author][kind],
      created_at: begunSeconds + number * hour + index + 1,
      redacted: kind === 4,
      attachments:
        index === 0 && number % 2 === 0
          ? [
              record('attachment', {
                type: 'upload',
                name: 'report.pdf',
                url: `${this.fileUrl}/report${number}`,
                content_type: 'application/pdf',
                filesize: 340,
              }),
            ]
          : [],
      email_message_metadata:
        kind === 0
          ? record('mail', {
              subject: `Re: ${number}`,
              message_id: `<p-${id}@mail.test>`,
              email_address_headers: [{ type: 'to', email_address: String(author['email']), name: 'You' }],
            })
          : null,
    })
  }

  change(number: number, words: string): void {
    this.#changed.set(number, words)
  }
}
