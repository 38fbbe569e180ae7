import type { Account } from './account.ts'
import { record } from './document.ts'
import type { Fields } from './records.ts'

export interface Reply {
  status: number
  body: unknown
  headers?: Record<string, string>
}

const notFound: Reply = { status: 404, body: { error: 'RecordNotFound', description: 'Not found' } }
const refused = (description: string): Reply => ({
  status: 422,
  body: { error: 'InvalidValue', description },
})

type At = (index: number) => Fields | undefined

interface Exported {
  name: string
  object: string
  at: At
  changedMs: (index: number) => number
}

/** The API of one account, as far as readers see it. */
export class Api {
  readonly #account: Account

  constructor(account: Account) {
    this.#account = account
  }

  respond(path: string, query: URLSearchParams): Reply {
    const account = this.#account
    const comments = /^\/api\/v2\/tickets\/(\d+)\/comments$/.exec(path)?.[1]
    if (comments !== undefined) return this.#comments(Number(comments), query)
    const identities = /^\/api\/v2\/users\/(\d+)\/identities$/.exec(path)?.[1]
    if (identities !== undefined) return this.#identities(Number(identities), query)
    switch (path) {
      case '/api/v2/users/me':
        return { status: 200, body: { user: account.agents()[0] } }
      case '/api/v2/users':
        return listed(query, 'users', account.agents())
      case '/api/v2/recipient_addresses':
        return listed(query, 'recipient_addresses', account.addresses())
      case '/api/v2/ticket_fields':
        return listed(query, 'ticket_fields', account.ticketFields())
      case '/api/v2/user_fields':
        return listed(query, 'user_fields', [{ id: 1, key: 'plan', title: 'Plan' }])
      case '/api/v2/organization_fields':
        return listed(query, 'organization_fields', [{ id: 2, key: 'region', title: 'Region' }])
      case '/api/v2/macros':
        return listed(query, 'macros', account.macros())
      case '/api/v2/organizations':
        return listed(query, 'organizations', account.organizations())
      case '/api/v2/satisfaction_ratings':
        return this.#ratings(query)
      case '/api/v2/incremental/users/cursor':
        return this.#exported(query, {
          name: 'users',
          object: 'userExport',
          at: (index) => account.user(index),
          changedMs: (index) => Date.parse(String(account.user(index)?.['updated_at'])),
        })
      case '/api/v2/incremental/tickets/cursor':
        return this.#exported(query, {
          name: 'tickets',
          object: 'ticketExport',
          at: (index) => account.exportAt(index),
          changedMs: (index) => account.changedMs(index),
        })
      default:
        return notFound
    }
  }

  #comments(ticketId: number, query: URLSearchParams): Reply {
    const ticket = this.#account.ticket(ticketId)
    if (ticketId > this.#account.counts.tickets || ticket['status'] === 'deleted') return notFound
    const isWithInline = query.get('include_inline_images') === 'true'
    const shown = this.#account.commentsOf(ticket).map(
      (comment): Fields => ({
        ...comment,
        // "If true, the attachment is excluded from the attachment list."
        attachments: (comment['attachments'] as Fields[]).filter(
          (file) => isWithInline || file['inline'] !== true,
        ),
      }),
    )
    const reply = listed(query, 'comments', shown)
    if (query.get('include') !== 'users') return reply
    const authors = new Set(shown.map((comment) => comment['author_id']))
    return {
      ...reply,
      body: { ...(reply.body as object), users: [...authors].flatMap((id) => this.#user(id) ?? []) },
    }
  }

  #identities(userId: number, query: URLSearchParams): Reply {
    const user = this.#user(userId)
    return user === undefined ? notFound : listed(query, 'identities', this.#account.identities(user))
  }

  #user(id: unknown): Fields | undefined {
    for (let index = 0; ; index += 1) {
      const user = this.#account.user(index)
      if (user === undefined || user['id'] === id) return user
      // Customers have numbers that follow each other.
      if (Number(id) >= 10_000 && index === this.#account.counts.agents) index += Number(id) - 10_000
    }
  }

  #ratings(query: URLSearchParams): Reply {
    const isReceived = query.get('score') === 'received'
    const start = Number(query.get('start_time') ?? 0) * 1000
    const all: Fields[] = []
    for (let index = 0; index < this.#account.counts.tickets; index += isReceived ? 10 : 1) {
      const rating = this.#account.ratingAt(index)
      if (rating !== undefined && Date.parse(String(rating['created_at'])) >= start) all.push(rating)
    }
    return listed(query, 'satisfaction_ratings', all)
  }

  /** A cursor is the place in the export, as a text that says nothing to others. */
  #exported(query: URLSearchParams, { name, object, at, changedMs }: Exported): Reply {
    const cursor = query.get('cursor')
    const start = Number(query.get('start_time'))
    if (cursor === null && !query.has('start_time')) return refused('start_time is missing')
    if (cursor === null && start * 1000 > Date.now() - 60_000) return refused('Too recent start_time')
    const size = Math.min(Number(query.get('per_page') ?? 1_000), this.#account.counts.pageMax)
    let index = cursor === null ? firstSince(at, changedMs, start * 1000) : Number(atob(cursor).split('|')[0])
    const rows: Fields[] = []
    for (let row = at(index); row !== undefined && rows.length < size; row = at(++index)) rows.push(row)
    const after = btoa(`${index}||`)
    const included = query.get('include')?.split(',') ?? []
    const path = `/api/v2/incremental/${name}/cursor.json`
    const body = record(object, {
      [name]: rows.map((row) => (included.includes('metric_sets') ? row : without(row, 'metric_set'))),
      after_cursor: after,
      after_url: `${this.#account.url}${path}?cursor=${after}`,
      end_of_stream: at(index) === undefined,
      ...(included.includes('identities') && {
        identities: rows.flatMap((row) => this.#account.identities(row)),
      }),
      ...(included.includes('users') && { users: this.#usersOf(rows) }),
    })
    return { status: 200, body }
  }

  #usersOf(tickets: readonly Fields[]): Fields[] {
    const named = tickets.flatMap((ticket): unknown[] => [
      ticket['requester_id'],
      ticket['submitter_id'],
      ticket['assignee_id'],
      ...(ticket['email_cc_ids'] as unknown[]),
    ])
    return [...new Set(named)].map((id) => this.#user(id)).filter((user) => user !== undefined)
  }
}

function without(row: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(row).filter(([key]) => key !== name))
}

function firstSince(at: At, changedMs: Exported['changedMs'], startMs: number): number {
  let index = 0
  while (at(index) !== undefined && changedMs(index) < startMs) index += 1
  return index
}

/** One page of a list, by cursor where a size is asked for: https://developer.zendesk.com/api-reference/introduction/pagination/ */
function listed(query: URLSearchParams, name: string, rows: readonly Fields[]): Reply {
  const size = Number(query.get('page[size]') ?? 100)
  if (size > 100) return refused('page[size] is at most 100')
  const after = query.get('page[after]')
  const from = after === null ? 0 : Number(atob(after))
  const page = rows.slice(from, from + size)
  const hasMore = from + size < rows.length
  const cursor = page.length === 0 ? null : btoa(String(from + page.length))
  const meta = { has_more: hasMore, after_cursor: cursor, before_cursor: after }
  return { status: 200, body: { [name]: page, meta, links: { prev: null, next: null } } }
}
