import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Account, bytesOf } from '../../../../../examples/zendesk-emulator/src/account.ts'
import type { MoveTenant } from './move-tenant.ts'

interface Checking {
  tenant: MoveTenant
  account: Account
}

export interface Moved {
  checked: {
    conversations: number
    messages: number
    notes: number
    calls: number
    files: number
    /** Replies of customers by mail. */
    mails: number
  }
  failures: string[]
}

type Row = Record<string, unknown>
type Ticket = ReturnType<Account['ticket']>

const mailsMax = 20
const workers = 4

/** Compares each ticket of the account with its conversation, as the API shows it, and then replies to some of them by mail. */
export async function checkMove(given: Checking): Promise<Moved> {
  const check = new MoveCheck(given)
  await check.sheet()
  await check.conversations()
  await check.mails()
  return { checked: check.checked, failures: check.failures }
}

class MoveCheck {
  readonly checked: Moved['checked'] = {
    conversations: 0,
    messages: 0,
    notes: 0,
    calls: 0,
    files: 0,
    mails: 0,
  }
  readonly failures: string[] = []
  readonly #tenant: MoveTenant
  readonly #account: Account
  /** The conversations by their subject, which has the number of the ticket. */
  #stored = new Map<string, Row>()

  constructor({ tenant, account }: Checking) {
    this.#tenant = tenant
    this.#account = account
  }

  /** The sheet that a person signs says that nothing is missing, and the run that each row is accounted for. */
  async sheet(): Promise<void> {
    const { path, ask } = this.#tenant
    const { run } = await ask('GET', `${path}/import/status`)
    const sheet: Row[] = await ask('GET', `${path}/imports/${run._id}/count-sheet`)
    if (run.balance?.closes !== true || !/^completed/.test(run.status))
      this.failures.push(`The run is ${run.status}, its balance ${JSON.stringify(run.balance)}`)
    for (const row of sheet.filter((one) => !isNamed(one)))
      if (row['source'] !== row['package'] || row['package'] !== row['here'])
        this.failures.push(`The count sheet differs: ${JSON.stringify(row)}`)
  }

  async conversations(): Promise<void> {
    const customers = await this.#listed('/api/v1/customers')
    const idsByEmail = new Map(customers.map(({ profile, _id }) => [(profile as Row)['email'], _id]))
    const calls = Map.groupBy(await this.#listed('/api/telephony/calls'), (call) => call['conversationId'])
    const stored = await this.#listed('/api/v1/conversations')
    this.#stored = new Map(stored.map((row) => [String(row['subject']), row]))
    const tickets = [...this.#tickets()]
    if (stored.length !== tickets.length)
      this.failures.push(`There are ${stored.length} conversations of ${tickets.length} tickets`)
    await inTurns(tickets, async (ticket) => {
      const row = this.#stored.get(String(ticket['subject']))
      if (row === undefined) return void this.failures.push(`Ticket ${ticket['id']} has no conversation`)
      this.#equal(
        ticket,
        stateOf(row),
        this.#stateOf(ticket, idsByEmail.get(this.#requesterOf(ticket).email)),
      )
      await this.#thread(ticket, row)
      this.#calls(ticket, calls.get(row['_id']) ?? [])
      this.checked.conversations += 1
    })
  }

  *#tickets(): Generator<Ticket> {
    for (let index = 0; ; index += 1) {
      const ticket = this.#account.ticketAt(index)
      if (ticket === undefined) return
      if (ticket['status'] !== 'deleted') yield ticket
    }
  }

  #requesterOf(ticket: Ticket) {
    const user = this.#account.endUser(Number(ticket['requester_id']) - this.#account.ids.endUser)
    return { email: String(user['email']), isDeleted: user['active'] === false, user }
  }

  #stateOf(ticket: Ticket, customerId: unknown): Row {
    const isClosed = ticket['status'] === 'solved' || ticket['status'] === 'closed'
    const solvedAt = (ticket['metric_set'] as Row)['solved_at'] ?? ticket['updated_at']
    const word = String(ticket['status'])
    return {
      status: isClosed ? 'closed' : word === 'pending' || word === 'hold' ? 'pending' : 'open',
      createdAt: iso(ticket['created_at']),
      closedAt: isClosed ? iso(solvedAt) : null,
      customerId: customerId ?? null,
      assignedTo: this.#userOf(ticket['assignee_id']),
    }
  }

  #userOf(agentId: unknown): string | null {
    const agent = this.#account.agents().find(({ id }) => id === agentId)
    return this.#tenant.users.get(String(agent?.['email'])) ?? null
  }

  /** The messages and notes of a ticket: their authors, times, texts, Message-IDs and files. */
  async #thread(ticket: Ticket, row: Row): Promise<void> {
    const shown: Row[] = await this.#tenant.ask(
      'GET',
      `/api/v1/conversations/${row['_id']}/messages?sort=createdAt&limit=100`,
    )
    const comments = this.#account.commentsOf(ticket)
    const found = await Promise.all(
      shown.map(async (message) => ({
        ...shownOf(message),
        files: await Promise.all((message['attachments'] as Row[]).map((file) => this.#digest(file['url']))),
      })),
    )
    const expected = comments
      .map((comment) =>
        comment['type'] === 'VoiceComment' ? recordingNote(comment) : this.#commentAs(ticket, comment, row),
      )
      .toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt))
    this.#equal(ticket, found, expected)
    this.checked.notes += expected.filter(({ type }) => type === 'note').length
    this.checked.messages += expected.filter(({ type }) => type === 'reply').length
    this.checked.files += expected.flatMap(({ files }) => files).length
  }

  #commentAs(ticket: Ticket, comment: Row, row: Row): Shown {
    const isNote = comment['public'] === false
    return {
      type: isNote ? 'note' : 'reply',
      direction: isNote ? 'internal' : this.#isAgent(comment['author_id']) ? 'outbound' : 'inbound',
      author: this.#authorOf(ticket, comment, row),
      createdAt: iso(comment['created_at']),
      words: String(comment['body']),
      messageId: isNote ? null : messageIdOf(comment),
      files: (comment['attachments'] as Row[]).map(({ id }) => digestOf(bytesOf(`t${id}`))),
    }
  }

  #isAgent(id: unknown): boolean {
    return Number(id) < this.#account.ids.endUser
  }

  /** An agent without a user here stays by name. A customer whom the source has deleted does too. */
  #authorOf(ticket: Ticket, comment: Row, row: Row): Row {
    const id = comment['author_id']
    if (!this.#isAgent(id)) {
      const { isDeleted, user } = this.#requesterOf(ticket)
      return isDeleted
        ? { type: 'customer', _id: null, name: user['name'] }
        : { type: 'customer', _id: row['customerId'], name: user['name'] }
    }
    const userId = this.#userOf(id)
    const known = [...this.#account.agents(), this.#account.formerAgent()].find((agent) => agent['id'] === id)
    return { type: 'user', _id: userId, name: known?.['name'] }
  }

  #calls(ticket: Ticket, found: readonly Row[]): void {
    const voices = this.#account.commentsOf(ticket).filter(({ type }) => type === 'VoiceComment')
    const expected = voices.map(({ data }) => ({
      from: (data as Row)['from'],
      to: (data as Row)['to'],
      durationSeconds: (data as Row)['call_duration'],
      agentId: this.#userOf((data as Row)['answered_by_id']),
    }))
    const shown = found.map(({ from, to, durationSeconds, agentId }) => ({
      from,
      to,
      durationSeconds,
      agentId,
    }))
    this.#equal(ticket, shown, expected)
    this.checked.calls += voices.length
  }

  /** Replies to an agent's mail as its customer does. */
  async mails(): Promise<void> {
    const repliable = [...this.#tickets()].filter((ticket) => {
      const { isDeleted, user } = this.#requesterOf(ticket)
      const isOpen = !['solved', 'closed'].includes(String(ticket['status']))
      return isOpen && ticket['recipient'] !== null && !isDeleted && user['suspended'] !== true
    })
    const step = Math.max(1, Math.floor(repliable.length / mailsMax))
    for (const ticket of repliable.filter((_, index) => index % step === 0).slice(0, mailsMax))
      await this.#replyByMail(ticket)
    if (this.checked.mails === 0) this.failures.push('No ticket can be replied to')
  }

  async #replyByMail(ticket: Ticket): Promise<void> {
    const replied = this.#account
      .commentsOf(ticket)
      .findLast(
        (comment) =>
          comment['type'] !== 'VoiceComment' && comment['public'] && this.#isAgent(comment['author_id']),
      )
    if (replied === undefined) return
    const { inbox, url, ask } = this.#tenant
    const raw = [
      `From: <${this.#requesterOf(ticket).email}>`,
      `To: ${inbox.address}`,
      'Subject: Re: your reply',
      `Message-ID: <reply-${ticket['id']}@example.com>`,
      `In-Reply-To: ${messageIdOf(replied, '<', '>')}`,
      `Date: ${new Date().toUTCString()}`,
      '',
      'It stopped again.',
    ].join('\r\n')
    const response = await fetch(`${url}/api/v1/inbound/email/${inbox.token}`, {
      method: 'POST',
      headers: { 'Content-Type': 'message/rfc822' },
      body: raw,
    })
    const { data } = (await response.json()) as { data: { _id: string } }
    const read = () => ask('GET', `/api/v1/inbound-mails/${data._id}`)
    let mail = await read()
    for (; mail.status === 'received'; mail = await read()) await delay(50)
    const row = this.#stored.get(String(ticket['subject']))
    this.#equal(
      ticket,
      { status: mail.status, conversationId: mail.conversationId },
      { status: 'processed', conversationId: row?.['_id'] },
    )
    this.checked.mails += 1
  }

  #equal(ticket: Ticket, found: unknown, expected: unknown): void {
    if (!isDeepStrictEqual(found, expected))
      this.failures.push(
        `Ticket ${ticket['id']}: ${JSON.stringify(found)} and not ${JSON.stringify(expected)}`,
      )
  }

  async #digest(url: unknown): Promise<string> {
    const response = await fetch(`${this.#tenant.url}${url}`, {
      headers: { authorization: `Bearer ${this.#tenant.key}` },
    })
    return digestOf(Buffer.from(await response.arrayBuffer()))
  }

  async #listed(path: string): Promise<Row[]> {
    const rows: Row[] = []
    for (let page = 1; ; page += 1) {
      const next: Row[] = await this.#tenant.ask('GET', `${path}?limit=100&page=${page}`)
      rows.push(...next)
      if (next.length < 100) return rows
    }
  }
}

function stateOf({ status, createdAt, closedAt, customerId, assignedTo }: Row): Row {
  return {
    status,
    createdAt,
    closedAt,
    customerId,
    assignedTo: (assignedTo as Row | null)?.['_id'] ?? assignedTo ?? null,
  }
}

function shownOf({ type, direction, sender, createdAt, content, email }: Row) {
  return {
    type,
    direction,
    author: sender as Row,
    createdAt,
    words: wordsOf(String(content)),
    messageId: (email as Row | null)?.['messageId'] ?? null,
  }
}

interface Shown {
  type: unknown
  direction: unknown
  author: Row
  createdAt: string
  words: string
  messageId: unknown
  files: string[]
}

/** A call has its recording in a note. */
function recordingNote(comment: Row): Shown {
  const { recording_url: address, started_at: startedAt } = comment['data'] as Row
  const token = new URL(String(address)).pathname.split('/').at(-2) ?? ''
  return {
    type: 'note',
    direction: 'internal',
    author: { type: 'system', _id: null, name: null },
    createdAt: iso(startedAt),
    words: 'Recording of the call',
    messageId: null,
    files: [digestOf(bytesOf(token))],
  }
}

const signs: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&uuml;': 'ü', '&szlig;': 'ß' }

/** The words of an HTML text of the emulator. */
function wordsOf(html: string): string {
  return html.replaceAll(/<[^>]*>/g, '').replaceAll(/&\w+;/g, (sign) => signs[sign] ?? sign)
}

function messageIdOf(comment: Row, open = '', close = ''): string {
  const { system } = comment['metadata'] as { system: { message_id: string } }
  return `${open}${system.message_id.slice(1, -1)}${close}`
}

function iso(given: unknown): string {
  return new Date(String(given)).toISOString()
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Whether the reader has left it out, or it is of a kind that crmkit does not have: the sheet names both. */
function isNamed({ kind, package: inPackage }: Row): boolean {
  return inPackage === 0 || kind === 'replies' || kind === 'organisations'
}

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const rest = items.values()
  const worker = async () => {
    for (const item of rest) await work(item)
  }
  await Promise.all(Array.from({ length: workers }, worker))
}
