import { call } from '../../support/call.ts'

export interface StoredRows {
  customers: Map<string, { mark: string; step: number }>
  conversations: Map<string, { customerId: string; subject: string; status: string; messageCount: number }>
  messages: Map<string, { conversationId: string; clientMessageId: string | null }>
}

// biome-ignore lint/suspicious/noExplicitAny: rows of every kind
type Row = any

interface ReadList {
  key: string
  path: string
  sort?: string
}

/** Reads all rows of a tenant, page by page, as any client would. */
async function readAll(url: string, { key, path, sort }: ReadList): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | null = null
  do {
    const query = new URLSearchParams({ limit: '100', ...(sort && { sort }), ...(cursor && { cursor }) })
    const response = await call(url, { path: `${path}?${query}`, token: key })
    if (response.status !== 200)
      throw new Error(`${path}: ${response.status} ${JSON.stringify(response.body)}`)
    rows.push(...response.body.data)
    cursor = response.body.pagination.nextCursor ?? null
  } while (cursor !== null)
  return rows
}

export async function readBack(url: string, key: string): Promise<StoredRows> {
  const stored: StoredRows = { customers: new Map(), conversations: new Map(), messages: new Map() }
  for (const row of await readAll(url, { key, path: '/api/v1/customers', sort: 'createdAt' })) {
    stored.customers.set(row._id, { mark: row.profile.lastName, step: row.customFields.step })
  }
  for (const row of await readAll(url, { key, path: '/api/v1/conversations', sort: 'createdAt' })) {
    const { _id: id, customerId, subject, status, messageCount } = row
    stored.conversations.set(id, { customerId, subject, status, messageCount })
    if (messageCount === 0) continue
    for (const message of await readAll(url, { key, path: `/api/v1/conversations/${id}/messages` })) {
      const { clientMessageId } = message
      stored.messages.set(message._id, { conversationId: id, clientMessageId })
    }
  }
  return stored
}
