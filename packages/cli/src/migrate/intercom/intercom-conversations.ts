import type { Reading } from '../reading.ts'
import { RefusedError } from '../source-error.ts'
import { contentOf, idOf, type Row, rowOf, rowsOf, textOf, timeOf } from '../values.ts'
import { readList } from './intercom-lists.ts'
import { type Conversation, writePart, writeSource } from './intercom-parts.ts'
import { needContact } from './intercom-people.ts'

export function readConversations(reading: Reading): Promise<void> {
  return readList(reading, { path: 'conversations', name: 'conversations' }, async (row) => {
    await readConversation(reading, idOf(row['id']))
    await reading.saveNowAndThen(reading.mark() ?? null)
  })
}

/** The list has no parts: each conversation is asked for, and written with all of them before the next one. */
async function readConversation(reading: Reading, id: string | undefined): Promise<void> {
  if (id === undefined || reading.has('conversations', id)) return
  let row: Row
  try {
    row = await reading.client.ask(`conversations/${encodeURIComponent(id)}`)
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    return reading.leaveOutOnce('conversations', id, 'Deleted at the source')
  }
  const source = rowOf(row['source'])
  const contactIds = rowsOf(rowOf(row['contacts'])['contacts']).flatMap(
    (contact) => idOf(contact['id']) ?? [],
  )
  for (const contactId of contactIds) await needContact(reading, contactId)
  const personId = contactIds.find((one) => reading.has('people', one)) ?? null
  const subject = plainOf(row['title']) || plainOf(source['subject'])
  await writeRow(reading, { id, subject, personId }, row)
  await writeSource(reading, { id, subject, personId }, { source, createdAt: row['created_at'] })
  await writeParts(reading, { id, subject, personId }, row)
  await writeRating(reading, id, rowOf(row['conversation_rating']))
}

const statuses = { open: 'open', closed: 'closed', snoozed: 'snoozed' } as const
const priorities = { low: 'low', medium: 'medium', high: 'high', urgent: 'urgent', priority: 'high' } as const
const channels = {
  email: 'email',
  whatsapp: 'whatsapp',
  facebook: 'facebook',
  instagram: 'instagram',
  twitter: 'twitter',
  sms: 'sms',
  phone_call: 'phone',
  phone_switch: 'phone',
} as const

function wordFor<Words extends Readonly<Record<string, string>>>(
  words: Words,
  given: unknown,
): Words[keyof Words] | undefined {
  return typeof given === 'string' && Object.hasOwn(words, given) ? words[given as keyof Words] : undefined
}

async function writeRow(reading: Reading, { id, subject, personId }: Conversation, row: Row): Promise<void> {
  const labels = rowsOf(rowOf(row['tags'])['tags']).flatMap((tag) => textOf(tag['name'], 200) ?? [])
  for (const label of labels.slice(0, 1_000)) await reading.label(label)
  const type = rowOf(row['source'])['type']
  const assigneeId = idOf(row['admin_assignee_id'])
  await reading.write('conversations', {
    id,
    subject,
    ...stateOf(row),
    channel: wordFor(channels, type) ?? 'chat',
    personId,
    assigneeId: assigneeId !== undefined && reading.has('agents', assigneeId) ? assigneeId : null,
    labels: labels.slice(0, 1_000),
    createdAt: timeOf(row['created_at']) ?? reading.begunAt,
    ...reading.fields([
      ...Object.entries(rowOf(row['custom_attributes'])),
      ['Team', idOf(row['team_assignee_id'])],
      ['Channel (source)', type],
    ]),
  })
}

function stateOf(row: Row) {
  const { last_close_at: closedAt, first_admin_reply_at: repliedAt } = rowOf(row['statistics'])
  const status = wordFor(statuses, row['state']) ?? (row['open'] === false ? 'closed' : 'open')
  const updatedAt = timeOf(row['updated_at']) ?? null
  return {
    status,
    statusWord: textOf(row['state']) ?? null,
    ...(status === 'snoozed' && { snoozedUntil: timeOf(row['snoozed_until']) ?? null }),
    ...(status === 'closed' && { closedAt: timeOf(closedAt) ?? updatedAt }),
    priority: wordFor(priorities, row['priority']) ?? null,
    updatedAt,
    // Without the figure the first reply is worked out.
    ...(typeof repliedAt === 'number' && { firstResponseAt: timeOf(repliedAt) ?? null }),
  }
}

/** A response has the newest 500 parts. */
async function writeParts(reading: Reading, conversation: Conversation, row: Row): Promise<void> {
  const { conversation_parts: given, total_count: total } = rowOf(row['conversation_parts'])
  const parts = rowsOf(given)
  if (typeof total === 'number' && total > parts.length)
    reading.leaveOut(
      'messages',
      'Intercom gives the newest 500 parts of a conversation',
      total - parts.length,
    )
  for (const part of parts) await writePart(reading, conversation, part)
}

async function writeRating(reading: Reading, conversationId: string, rating: Row): Promise<void> {
  const { rating: score } = rating
  const at = timeOf(rating['created_at'])
  if (typeof score !== 'number' || at === undefined) return
  const { content } = contentOf(rating['remark'])
  await reading.write('ratings', {
    conversationId,
    score,
    scale: 5,
    at,
    ...(content !== '' && { comment: content }),
  })
}

/** A title can have the markup of a message. */
function plainOf(given: unknown): string {
  const text = textOf(given, 10_000) ?? ''
  let plain = ''
  let isTag = false
  for (const character of text) {
    if (character === '<') isTag = true
    else if (character === '>' && isTag) isTag = false
    else if (!isTag) plain += character
  }
  return (isTag ? text : plain).trim()
}
