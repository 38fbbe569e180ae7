import { resolve } from 'node:path'
import type { Reader, Step } from '../../reader.ts'
import type { Reading } from '../../reading.ts'
import { idOf, type Row } from '../../values.ts'
import { writeWithMessages } from '../chatwoot-conversations.ts'
import { learnFieldNames, writeAgents, writeInboxes, writeLabels, writeReplies } from '../chatwoot-lists.ts'
import { writePerson } from '../chatwoot-people.ts'
import { writeRating } from '../chatwoot-ratings.ts'
import { accountIdOf, chatwootReader } from '../chatwoot-reader.ts'
import {
  agentOf,
  contactOf,
  conversationOf,
  definitionOf,
  fileOf,
  inboxOf,
  messageOf,
  nameOfUser,
  noteOf,
  ratingOf,
} from './rows-of-dump.ts'
import { type DumpRow, type SplitDump, splitDump, type TableName } from './split-dump.ts'
import { StoredBlobs } from './stored-blobs.ts'

interface Dump {
  /** A plain dump of `pg_dump`. */
  readonly file: string
  /** The folder of Active Storage. */
  readonly storage: string | undefined
}

/**
 * Chatwoot, by a dump of its database, for an installation of one's own. The tables are those of db/schema.rb:
 * https://github.com/chatwoot/chatwoot/blob/develop/db/schema.rb
 */
export function dumpReader({ file, storage }: Dump): Reader {
  let dump: SplitDump | undefined
  const step = (title: string, run: (reading: Reading, dump: SplitDump) => Promise<void>): Step => ({
    title,
    run: async (reading) => {
      if (dump === undefined) throw new Error('a dump is opened before its steps')
      await run(reading, dump)
    },
  })
  return {
    ...chatwootReader,
    headersOf: () => ({}),
    open: async ({ account }, folder) => {
      const split = await splitDump({ file: resolve(file), account: accountIdOf(account) }, folder)
      dump = split
      const files = new StoredBlobs(storage === undefined ? undefined : resolve(storage))
      return { madeAt: split.newestAt, files, close: () => split.remove() }
    },
    steps: [
      step('Agents', readAgents),
      step('Inboxes', readInboxes),
      step('Labels', async (reading, { readTable }) => writeLabels(reading, await readTable('labels'))),
      step('Canned responses', async (reading, { readTable }) =>
        writeReplies(reading, await readTable('canned_responses')),
      ),
      step('Names of fields', async (reading, { readTable }) =>
        learnFieldNames(reading, (await readTable('custom_attribute_definitions')).map(definitionOf)),
      ),
      step('Contacts', readContacts),
      step('Conversations', readConversations),
      step('Ratings', readRatings),
    ],
  }
}

const keyOf = (row: DumpRow, name = 'id'): string => row[name] ?? ''

async function tableById({ readTable }: SplitDump, table: TableName): Promise<Map<string, DumpRow>> {
  return new Map((await readTable(table)).map((row) => [keyOf(row), row]))
}

async function readAgents(reading: Reading, dump: SplitDump): Promise<void> {
  const users = await tableById(dump, 'users')
  const members = await dump.readTable('account_users')
  const agents = members.flatMap((member) => {
    const user = users.get(keyOf(member, 'user_id'))
    return user ? [agentOf(member, user)] : []
  })
  await writeAgents(reading, agents)
}

const channelTables: Readonly<Record<string, TableName>> = {
  'Channel::Email': 'channel_email',
  'Channel::Sms': 'channel_sms',
  'Channel::TwilioSms': 'channel_twilio_sms',
  'Channel::Whatsapp': 'channel_whatsapp',
  'Channel::Voice': 'channel_voice',
}

async function readInboxes(reading: Reading, dump: SplitDump): Promise<void> {
  const rows: Row[] = []
  for (const inbox of await dump.readTable('inboxes')) {
    const table = channelTables[inbox['channel_type'] ?? '']
    const channels = table === undefined ? undefined : await tableById(dump, table)
    rows.push(inboxOf(inbox, channels?.get(keyOf(inbox, 'channel_id'))))
  }
  await writeInboxes(reading, rows)
}

/** Names of the labels of contacts, or of conversations, by the id of their row. */
async function labelsOf(
  { readTable, rowsOf }: SplitDump,
  type: 'Contact' | 'Conversation',
): Promise<Map<string, string[]>> {
  const names = new Map((await readTable('tags')).map((tag) => [keyOf(tag), tag['name'] ?? '']))
  const labels = new Map<string, string[]>()
  for await (const tagging of rowsOf('taggings')) {
    const name = names.get(keyOf(tagging, 'tag_id'))
    if (name === undefined || tagging['taggable_type'] !== type || tagging['context'] !== 'labels') continue
    const id = keyOf(tagging, 'taggable_id')
    labels.set(id, [...(labels.get(id) ?? []), name])
  }
  return labels
}

async function readContacts(reading: Reading, dump: SplitDump): Promise<void> {
  const labels = await labelsOf(dump, 'Contact')
  const users = await tableById(dump, 'users')
  const notes = Map.groupBy(await dump.readTable('notes'), (note) => keyOf(note, 'contact_id'))
  for await (const row of dump.rowsOf('contacts')) {
    const id = idOf(row['id'])
    if (id === undefined || reading.has('people', id)) continue
    const own = (notes.get(id) ?? []).map((note) => noteOf(note, users.get(keyOf(note, 'user_id'))))
    await writePerson(reading, contactOf(row), { id, labels: labels.get(id) ?? [], notes: own })
    await reading.saveNowAndThen(null)
  }
}

/** The rows that messages and conversations name, held in memory; the messages themselves are not. */
interface Named {
  readonly inboxes: ReadonlyMap<string, DumpRow>
  readonly labels: ReadonlyMap<string, readonly string[]>
  readonly files: ReadonlyMap<string, readonly Row[]>
  /** By type and id. */
  readonly senders: ReadonlyMap<string, string | null>
}

async function readNamed(dump: SplitDump): Promise<Named> {
  const senders = new Map<string, string | null>()
  for await (const row of dump.rowsOf('contacts')) senders.set(`Contact ${keyOf(row)}`, row['name'] || null)
  for await (const row of dump.rowsOf('users')) senders.set(`User ${keyOf(row)}`, nameOfUser(row))
  for await (const row of dump.rowsOf('agent_bots'))
    senders.set(`AgentBot ${keyOf(row)}`, row['name'] ?? null)
  return {
    inboxes: await tableById(dump, 'inboxes'),
    labels: await labelsOf(dump, 'Conversation'),
    files: await filesByMessage(dump),
    senders,
  }
}

async function filesByMessage(dump: SplitDump): Promise<Map<string, Row[]>> {
  const blobs = await tableById(dump, 'active_storage_blobs')
  const blobOf = new Map<string, DumpRow>()
  for await (const { name, record_type, record_id, blob_id } of dump.rowsOf('active_storage_attachments')) {
    const blob = blobs.get(blob_id ?? '')
    if (record_type === 'Attachment' && name === 'file' && blob) blobOf.set(record_id ?? '', blob)
  }
  const files = new Map<string, Row[]>()
  for await (const row of dump.rowsOf('attachments')) {
    const messageId = keyOf(row, 'message_id')
    files.set(messageId, [...(files.get(messageId) ?? []), fileOf(row, blobOf.get(keyOf(row)))])
  }
  return files
}

async function readConversations(reading: Reading, dump: SplitDump): Promise<void> {
  const named = await readNamed(dump)
  for (let part = reading.mark<number>() ?? 0; part < dump.parts; part += 1) {
    const messages = Map.groupBy(await dump.readPart('messages', part), (row) =>
      keyOf(row, 'conversation_id'),
    )
    for (const row of await dump.readPart('conversations', part)) {
      await writeOne(reading, row, { named, messages: messages.get(keyOf(row)) ?? [] })
      messages.delete(keyOf(row))
      await reading.saveNowAndThen(part)
    }
    const strays = [...messages.values()].reduce((sum, rows) => sum + rows.length, 0)
    reading.leaveOut('messages', 'Its conversation is not in the dump', strays)
    await reading.save(part + 1)
  }
}

async function writeOne(
  reading: Reading,
  row: DumpRow,
  { named, messages }: { named: Named; messages: readonly DumpRow[] },
): Promise<void> {
  const id = idOf(row['display_id'])
  if (id === undefined || reading.has('conversations', id)) return
  const channel = named.inboxes.get(keyOf(row, 'inbox_id'))?.['channel_type']
  const labels = named.labels.get(keyOf(row)) ?? []
  const shown = messages.toSorted(byTime).map((message) =>
    messageOf(message, {
      senderName: named.senders.get(`${message['sender_type']} ${message['sender_id']}`) ?? null,
      files: named.files.get(keyOf(message)) ?? [],
    }),
  )
  await writeWithMessages(reading, conversationOf(row, { channel, labels }), { id, messages: shown })
}

/** Times of a dump are texts of one form. */
function byTime(a: DumpRow, b: DumpRow): number {
  const [one, other] = [keyOf(a, 'created_at'), keyOf(b, 'created_at')]
  if (one !== other) return one < other ? -1 : 1
  return Number(a['id']) - Number(b['id'])
}

async function readRatings(reading: Reading, dump: SplitDump): Promise<void> {
  const displayIds = new Map<string, string>()
  for (let part = 0; part < dump.parts; part += 1)
    for (const row of await dump.readPart('conversations', part))
      displayIds.set(keyOf(row), keyOf(row, 'display_id'))
  for await (const row of dump.rowsOf('csat_survey_responses'))
    await writeRating(reading, ratingOf(row, displayIds.get(keyOf(row, 'conversation_id'))))
}
