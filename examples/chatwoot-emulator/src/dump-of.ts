import { readFileSync } from 'node:fs'
import { type Account, accountId } from './account.ts'

const { tables } = JSON.parse(readFileSync(new URL('../tables.json', import.meta.url), 'utf8')) as {
  tables: Record<string, string[]>
}

type Value = string | number | boolean | object | null | undefined
type Row = Record<string, Value>

/** The id of a row of the database is another number than the one that people see. */
const rowIdOf = (conversationId: number) => conversationId + 500

/** The key of the file of a message. */
export const keyOf = (messageId: number) => `abkey${messageId}`

/** A dump of the database of an account, as `pg_dump --format=plain` writes it, with the tables of db/schema.rb that `tables.json` lists. */
export function dumpOf(account: Account): string {
  const rows = rowsOf(account)
  const blocks = Object.entries(tables).map(([table, columns]) => {
    const lines = (rows[table] ?? []).map((row) => lineOf(table, columns, row))
    return [`COPY public.${table} (${columns.join(', ')}) FROM stdin;`, ...lines, '\\.', ''].join('\n')
  })
  const head = ['--', '-- PostgreSQL database dump', '--', '', "SET client_encoding = 'UTF8';", '']
  return `${[...head, ...blocks].join('\n')}\n--\n-- PostgreSQL database dump complete\n--\n`
}

function lineOf(table: string, columns: readonly string[], row: Row): string {
  for (const name of Object.keys(row))
    if (!columns.includes(name)) throw new Error(`the schema has no column ${name} of ${table}`)
  return columns.map((name) => cellOf(row[name])).join('\t')
}

/** Source: https://www.postgresql.org/docs/current/sql-copy.html, "Text Format". */
function cellOf(value: Value): string {
  if (value === null || value === undefined) return '\\N'
  if (typeof value === 'boolean') return value ? 't' : 'f'
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
}

const timeOf = (seconds: unknown) =>
  new Date(Number(seconds) * 1000).toISOString().replace('T', ' ').replace('.000Z', '')

const statuses = ['open', 'resolved', 'pending', 'snoozed']
const priorities = ['low', 'medium', 'high', 'urgent']

const own = { account_id: accountId }

function rowsOf(account: Account): Record<string, Row[]> {
  return { ...settingsOf(account), ...historyOf(account) }
}

function settingsOf(account: Account): Record<string, Row[]> {
  return {
    // Nothing of another account, and no secret, belongs to the package of this one.
    access_tokens: [{ id: 1, owner_type: 'User', owner_id: 1, token: 'dumped-token' }],
    accounts: [
      { id: accountId, name: 'Acme' },
      { id: 8, name: 'Another' },
    ],
    account_users: account.agents().map(({ id, role }, index) => {
      return { id: index + 1, ...own, user_id: Number(id), role: role === 'administrator' ? 1 : 0 }
    }),
    users: account.agents().map(({ id, name, email }) => {
      return { id, name, email, encrypted_password: 'dumped-password' } as Row
    }),
    agent_bots: [{ id: 4, name: 'Helper' }],
    inboxes: account.inboxes().map(({ id, name, channel_type }) => {
      return { id, ...own, name, channel_type, channel_id: 1 } as Row
    }),
    channel_email: [
      {
        id: 1,
        ...own,
        email: 'support@acme.test',
        imap_password: 'imap-secret',
        smtp_password: 'smtp-secret',
      },
    ],
    labels: account.labels().map(({ id, title, color }) => ({ id, ...own, title, color }) as Row),
    canned_responses: account.replies().map((reply) => {
      return { id: reply['id'], ...own, short_code: reply['short_code'], content: reply['content'] } as Row
    }),
    custom_attribute_definitions: [0, 1].flatMap((model) =>
      account.definitions(model).map(({ id, attribute_key, attribute_display_name }) => {
        return { id, ...own, attribute_key, attribute_display_name, attribute_model: model } as Row
      }),
    ),
  }
}

function historyOf(account: Account): Record<string, Row[]> {
  const { conversations } = account.counts
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
  const contacts = numbers(Math.ceil(conversations / 2)).map((id) => account.contact(id))
  const known = numbers(conversations).map((id) => account.conversation(id))
  const messages = numbers(conversations).flatMap((id) => account.messagesOf(id))
  const files = messages.flatMap((message) => (message['attachments'] ?? []) as Row[])
  const stored = files.filter(({ file_type }) => file_type === 'file')
  return {
    tags: [
      { id: 1, name: 'billing' },
      { id: 2, name: 'vip' },
    ],
    taggings: [
      ...known.flatMap(({ id, labels }) =>
        (labels as string[]).map(() => {
          return {
            tag_id: 1,
            taggable_type: 'Conversation',
            taggable_id: rowIdOf(Number(id)),
            context: 'labels',
          }
        }),
      ),
      ...contacts.map(({ id }) => {
        return { tag_id: 2, taggable_type: 'Contact', taggable_id: Number(id), context: 'labels' }
      }),
    ],
    contacts: [
      ...contacts.map((contact) => {
        const { id, name, email, phone_number, blocked, identifier } = contact
        const { additional_attributes, custom_attributes, created_at } = contact
        const attributes = { additional_attributes, custom_attributes }
        const created = { created_at: timeOf(created_at) }
        return {
          id,
          ...own,
          name,
          email,
          phone_number,
          blocked,
          identifier,
          ...attributes,
          ...created,
        } as Row
      }),
      { id: 9_999, account_id: 8, name: 'Of another account', created_at: timeOf(0) },
    ],
    notes: account.notesOf(1).map(({ id, content, created_at }) => {
      return { id, ...own, content, contact_id: 1, user_id: 1, created_at: timeOf(created_at) } as Row
    }),
    conversations: [
      ...known.map((one) => conversationRow(one)),
      { id: 9_999, account_id: 8, display_id: 1, inbox_id: 11, status: 0, created_at: timeOf(0) },
    ],
    messages: [
      // The order of a dump is that of the disk.
      ...messages.map((message) => messageRow(message)).reverse(),
      {
        id: 9_999_999,
        account_id: 8,
        conversation_id: 9_999,
        message_type: 0,
        content: 'Of another account',
      },
    ],
    attachments: files.map(
      ({ id, message_id, file_type, fallback_title, coordinates_lat, coordinates_long }) => {
        const place = { fallback_title, coordinates_lat, coordinates_long }
        const messageId = message_id ?? Number(id) - 1
        return { id, ...own, message_id: messageId, file_type: file_type === 'file' ? 3 : 4, ...place }
      },
    ),
    active_storage_attachments: stored.map(({ id }) => {
      return { id, name: 'file', record_type: 'Attachment', record_id: id, blob_id: Number(id) + 1 }
    }),
    active_storage_blobs: stored.map(({ id, file_size }) => {
      const blob = { id: Number(id) + 1, key: keyOf(Number(id)), filename: 'my report.pdf' }
      return { ...blob, byte_size: file_size, service_name: 'local' }
    }),
    csat_survey_responses: account
      .ratings()
      .map(({ id, conversation_id, rating, feedback_message, created_at }) => {
        const of = { id, ...own, conversation_id: rowIdOf(Number(conversation_id)), rating, feedback_message }
        return { ...of, created_at: timeOf(created_at) } as Row
      }),
  }
}

type Shown = ReturnType<Account['conversation']>

function conversationRow(one: Shown): Row {
  const { sender, assignee } = one['meta'] as Record<'sender' | 'assignee', { id: number } | undefined>
  return {
    id: rowIdOf(Number(one['id'])),
    display_id: one['id'] as number,
    account_id: accountId,
    inbox_id: one['inbox_id'] as number,
    contact_id: sender?.id,
    assignee_id: assignee?.id,
    status: statuses.indexOf(String(one['status'])),
    priority: one['priority'] === null ? null : priorities.indexOf(String(one['priority'])),
    additional_attributes: one['additional_attributes'] as object,
    custom_attributes: one['custom_attributes'] as object,
    created_at: timeOf(one['created_at']),
    updated_at: timeOf(one['last_activity_at']),
    last_activity_at: timeOf(one['last_activity_at']),
    snoozed_until: one['snoozed_until'] === null ? null : '2030-01-01 00:00:00',
  }
}

const senderTypes: Record<string, string> = { contact: 'Contact', user: 'User', agent_bot: 'AgentBot' }

function messageRow(message: ReturnType<Account['messagesOf']>[number]): Row {
  const sender = message['sender'] as { id: number; type: string } | null
  return {
    id: message['id'] as number,
    account_id: accountId,
    conversation_id: rowIdOf(Number(message['conversation_id'])),
    message_type: message['message_type'] as number,
    private: message['private'] as boolean,
    status: 2,
    source_id: message['source_id'] as string | null,
    content: message['content'] as string,
    // The store of a model writes the JSON text of a JSON text.
    content_attributes: JSON.stringify(JSON.stringify(message['content_attributes'])),
    sender_type: sender && senderTypes[sender.type],
    sender_id: sender?.id,
    created_at: timeOf(message['created_at']),
  }
}
