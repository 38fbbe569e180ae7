import { record } from './document.ts'
import type { Fields } from './records.ts'

export interface AccountOptions {
  tickets?: number
  /** Customers; default: a third of the tickets. */
  endUsers?: number
  agents?: number
  /** Comments of each ticket. */
  comments?: number
  /** The most records of an export's page; default: as many as are asked for. */
  pageMax?: number
}

const ids = {
  agent: 1_000,
  endUser: 10_000,
  ticket: 1,
  organization: 500,
  address: 70,
  field: 360,
} as const

const begunMs = Date.UTC(2023, 0, 1)
const hourMs = 3_600_000
const at = (hours: number) =>
  new Date(begunMs + Math.round(hours * 3_600) * 1_000).toISOString().replace('.000Z', 'Z')

/** A support account with made-up records, which follow from their numbers. */
export class Account {
  readonly counts: Required<AccountOptions>
  /** The numbers at which the ids of each kind begin. */
  readonly ids = ids
  /** Where the account and its files are served; the server knows it when it listens. */
  url = ''
  /** Changed tickets, in the order of their changes, with the time and the comments that were added. */
  readonly #changes: { id: number; at: string; fields: Fields }[] = []
  readonly #added = new Map<number, Fields[]>()

  constructor(options: AccountOptions) {
    const {
      tickets = 0,
      endUsers = Math.ceil(tickets / 3),
      agents = 3,
      comments = 3,
      pageMax = 1_000,
    } = options
    this.counts = { tickets, endUsers, agents, comments, pageMax }
  }

  agents(): Fields[] {
    return Array.from({ length: this.counts.agents }, (_, index) =>
      this.#user(ids.agent + index, {
        name: `Agent ${index}`,
        email: `agent${index}@acme.test`,
        role: index === 0 ? 'admin' : 'agent',
      }),
    )
  }

  /** All users in the order of the export: agents, one who has left, and customers. */
  user(index: number): Fields | undefined {
    const { agents, endUsers } = this.counts
    if (index < agents) return this.agents()[index]
    if (index === agents) return this.formerAgent()
    return index <= agents + endUsers ? this.endUser(index - agents - 1) : undefined
  }

  /** Zendesk makes an end user of an agent who leaves. */
  formerAgent(): Fields {
    return this.#user(ids.agent + 900, { name: 'Former Agent', email: 'former@acme.test', role: 'end-user' })
  }

  endUser(index: number): Fields {
    const id = ids.endUser + index
    return this.#user(id, {
      name: `Customer ${index} Ünal`,
      email: `customer${index}@example.com`,
      phone: index % 4 === 0 ? `+1555000${String(index).padStart(4, '0')}` : null,
      role: 'end-user',
      active: index % 50 !== 49,
      suspended: index % 40 === 39,
      organization_id: index % 5 === 0 ? ids.organization : null,
      tags: index % 10 === 0 ? ['vip'] : [],
      user_fields: { plan: index % 2 === 0 ? 'gold' : null },
      external_id: index % 7 === 0 ? `shop-${index}` : null,
      created_at: at(index / 100),
    })
  }

  #user(id: number, given: Fields): Fields {
    const times = { created_at: at(0), updated_at: at(1) }
    const fields = { active: true, suspended: false, tags: [], user_fields: {}, locale: 'en-US' }
    return record('user', { id, ...times, ...fields, url: `${this.url}/api/v2/users/${id}.json`, ...given })
  }

  identities(user: Fields): Fields[] {
    const { id, email, phone } = user
    const made = (number: number, given: Fields) =>
      record('identity', {
        id: Number(id) * 10 + number,
        user_id: id,
        created_at: at(0),
        verified: true,
        ...given,
      })
    const second = Number(id) % 3 === 0
    return [
      made(0, { type: 'email', value: email, primary: true, deliverable_state: 'deliverable' }),
      ...(phone === null ? [] : [made(1, { type: 'phone_number', value: phone, primary: true })]),
      ...(second
        ? [made(2, { type: 'email', value: `second-${id}@example.org`, deliverable_state: 'undeliverable' })]
        : []),
    ]
  }

  organizations(): Fields[] {
    return [
      record('organization', {
        id: ids.organization,
        name: 'Example Works',
        domain_names: ['example.com'],
        details: 'Since 2019',
        tags: ['partner'],
        organization_fields: { region: 'north' },
        created_at: at(0),
        updated_at: at(0),
      }),
    ]
  }

  addresses(): Fields[] {
    const email = 'support@acme.test'
    return [
      record('address', { id: ids.address, email, name: 'Acme Support', default: true, created_at: at(0) }),
    ]
  }

  macros(): Fields[] {
    const write = (value: string) => [{ field: 'comment_value', value }]
    return [
      record('macro', { id: 90, title: 'Thanks', active: true, actions: write('Thank you for writing.') }),
      record('macro', {
        id: 91,
        title: 'Close',
        active: true,
        actions: [{ field: 'status', value: 'solved' }],
      }),
    ]
  }

  ticketFields(): Fields[] {
    return [record('ticketField', { id: ids.field, type: 'text', title: 'Order number', active: true })]
  }

  ticketAt(index: number): Fields | undefined {
    return index < this.counts.tickets ? this.ticket(ids.ticket + index) : undefined
  }

  /** The tickets of the export: all by the time of their last change, then those that changed meanwhile, once more. */
  exportAt(index: number): Fields | undefined {
    const change = this.#changes[index - this.counts.tickets]
    return this.ticketAt(index) ?? (change && this.ticket(change.id))
  }

  /** The time of the change that a place of the export stands for. */
  changedMs(index: number): number {
    const change = this.#changes[index - this.counts.tickets]
    return change === undefined ? begunMs + (index / 2 + 2) * hourMs : Date.parse(change.at)
  }

  ticket(id: number): Fields {
    const index = id - ids.ticket
    const requester = index % Math.max(1, this.counts.endUsers)
    const status = ['new', 'open', 'pending', 'hold', 'solved', 'closed'][index % 6]
    const change = this.#changes.findLast((one) => one.id === id)
    const isMerged = index % 25 === 24
    const isEmail = index % 2 === 0
    const solvedAt = status === 'solved' || status === 'closed' ? at(index / 2 + 1) : null
    return record('ticket', {
      id,
      url: `${this.url}/api/v2/tickets/${id}.json`,
      subject: `Question ${id} – „Größe“`,
      raw_subject: `Question ${id} – „Größe“`,
      description: `First words of ${id}`,
      status: isMerged ? 'closed' : index % 30 === 29 ? 'deleted' : status,
      priority: ['low', 'normal', 'high', 'urgent', null][index % 5],
      type: 'question',
      requester_id: ids.endUser + requester,
      submitter_id: ids.endUser + requester,
      assignee_id: index % 3 === 0 ? null : ids.agent + (index % this.counts.agents),
      organization_id: null,
      email_cc_ids:
        index % 8 === 0 ? [ids.endUser + ((requester + 1) % Math.max(1, this.counts.endUsers))] : [],
      collaborator_ids: [],
      recipient: isEmail ? 'support@acme.test' : null,
      tags: isMerged ? ['closed_by_merge', 'web'] : [`topic-${index % 12}`],
      custom_fields: [{ id: ids.field, value: index % 3 === 0 ? `A-${id}` : null }],
      via: record('via', {
        channel: isEmail ? 'email' : 'web',
        source: {
          from: index % 20 === 10 ? { ticket_id: id - 1, channel: 'web' } : {},
          to: {},
          rel: index % 20 === 10 ? 'follow_up' : null,
        },
      }),
      satisfaction_rating: { score: scoreOf(index) },
      metric_set: record('metricSet', { id: id * 10, ticket_id: id, solved_at: solvedAt }),
      is_public: true,
      created_at: at(index / 2),
      updated_at: at(index / 2 + 2),
      ...(change && { ...change.fields, updated_at: change.at }),
    })
  }

  commentsOf(ticket: Fields): Fields[] {
    const id = Number(ticket['id'])
    const made = Array.from({ length: this.counts.comments }, (_, number) => this.#comment(ticket, number))
    return [...made, ...(this.#added.get(id) ?? [])]
  }

  #comment(ticket: Fields, number: number): Fields {
    const ticketId = Number(ticket['id'])
    const isAnswer = number % 2 === 1
    const id = ticketId * 10_000 + number
    const isVoice = number === 1 && ticketId % 15 === 0
    const isNote = number === 2 && ticketId % 2 === 0
    const author = isAnswer || isNote ? this.#answererOf(ticket, number) : ticket['requester_id']
    const hasPicture = number === 0 && ticketId % 6 === 0
    const picture = this.#file(id * 10, { name: 'picture.png', type: 'image/png', inline: true })
    const report = this.#file(id * 10 + 1, { name: 'report.pdf', type: 'application/pdf', inline: false })
    const files = [...(hasPicture ? [picture] : []), ...(number === 0 && ticketId % 4 === 0 ? [report] : [])]
    const words = `Comment ${number} of ${ticketId}: grüße <b>`
    const html = `<p>Comment ${number} of ${ticketId}: gr&uuml;&szlig;e &lt;b&gt;</p>`
    return record('comment', {
      id,
      type: isVoice ? 'VoiceComment' : 'Comment',
      author_id: author,
      body: words,
      plain_body: words,
      html_body: hasPicture
        ? `${html}<img src="${String(picture['content_url']).replace('&', '&amp;')}">`
        : html,
      public: !isNote,
      attachments: files,
      audit_id: id * 3,
      created_at: at((ticketId - ids.ticket) / 2 + number / 6),
      via: record('via', {
        channel: 'email',
        source: {
          from: { address: 'x@example.com', original_recipients: ['support@acme.test', 'boss@example.com'] },
          to: { name: 'Acme', address: 'support@acme.test' },
          rel: isVoice ? 'voicemail' : null,
        },
      }),
      metadata: { system: record('system', { message_id: `<m-${id}@mail.example.com>` }), custom: {} },
      ...(isVoice && { data: this.#voice(ticketId) }),
    })
  }

  #voice(ticketId: number): Fields {
    return record('voice', {
      from: '+15550001111',
      to: '+15550002222',
      recording_url: `${this.url}/attachments/token/voice${ticketId}/?name=call.mp3`,
      started_at: at(ticketId / 2),
      call_duration: 63,
      answered_by_id: ids.agent,
      transcription_text: 'Hello, it does not work.',
      location: 'Berlin',
    })
  }

  #answererOf(ticket: Fields, number: number): unknown {
    if (number === 1 && Number(ticket['id']) % 9 === 0) return ids.agent + 900
    return ticket['assignee_id'] ?? ids.agent
  }

  #file(id: number, { name, type, inline }: { name: string; type: string; inline: boolean }): Fields {
    return record('attachment', {
      id,
      file_name: name,
      content_type: type,
      content_url: `${this.url}/attachments/token/t${id}/?name=${name}&v=1`,
      url: `${this.url}/api/v2/attachments/${id}.json`,
      size: bytesOf(`t${id}`).length,
      inline,
      deleted: false,
      malware_scan_result: 'malware_not_found',
      thumbnails: [],
    })
  }

  ratingAt(index: number): Fields | undefined {
    const ticket = this.ticketAt(index)
    if (ticket === undefined) return undefined
    return record('rating', {
      id: 400_000 + index,
      ticket_id: ticket['id'],
      requester_id: ticket['requester_id'],
      assignee_id: ticket['assignee_id'],
      score: scoreOf(index),
      comment: scoreOf(index) === 'good' ? 'Quick reply' : null,
      created_at: ticket['updated_at'],
      updated_at: ticket['updated_at'],
    })
  }

  /** Changes a ticket, a moment ago, and adds a comment of its customer. */
  change(id: number, fields: Fields, comment?: string): void {
    const now = new Date(Date.now() - 90_000).toISOString()
    this.#changes.push({ id, at: now, fields })
    if (comment === undefined) return
    const ticket = this.ticket(id)
    const added = this.#added.get(id) ?? []
    const made = this.#comment(ticket, this.counts.comments + added.length * 2)
    const words = { body: comment, plain_body: comment, html_body: null, created_at: now }
    this.#added.set(id, [...added, { ...made, ...words, author_id: ticket['requester_id'], public: true }])
  }
}

/** Ratings of every tenth ticket; the others were only asked for. */
function scoreOf(index: number): string {
  if (index % 10 !== 0) return 'offered'
  return index % 20 === 0 ? 'good' : 'bad'
}

/** The bytes of a file, which follow from its token. */
export function bytesOf(token: string): Buffer {
  return Buffer.from(`bytes of ${token}\n`.repeat(20))
}
