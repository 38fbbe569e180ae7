import { type FieldNames, namedFields } from '../field-names.ts'
import type { Reading } from '../reading.ts'
import { RefusedError } from '../source-error.ts'
import { idOf, type Row, rowOf, rowsOf, secondsOf, textOf, textsOf, timeOf } from '../values.ts'
import { channelOf } from './chatwoot-lists.ts'
import { writeMessage } from './chatwoot-messages.ts'
import { readPasses } from './chatwoot-passes.ts'
import { writeContact } from './chatwoot-people.ts'

/** The order of the list is that of the last activity, by which a later pass ends where nothing changed since. */
export function readConversations(reading: Reading): Promise<void> {
  const { since } = reading
  const sinceSeconds = since === null ? 0 : secondsOf(since) - overlapSeconds
  return readPasses(reading, {
    path: 'conversations',
    // Without the states it is the list of open ones.
    query: { status: 'all', assignee_type: 'all' },
    rowsOf: ({ data }) => rowOf(data)['payload'],
    write: (row) => writeConversation(reading, row, sinceSeconds),
    ...(since !== null && {
      isOld: (rows: readonly Row[]) => rows.every((row) => activityOf(row) < sinceSeconds),
    }),
  })
}

const overlapSeconds = 300

function activityOf(row: Row): number {
  const given = row['last_activity_at'] ?? row['timestamp']
  return typeof given === 'number' ? given : Number.POSITIVE_INFINITY
}

const statuses = { open: 'open', resolved: 'closed', pending: 'pending', snoozed: 'snoozed' } as const
const priorities = { low: 'low', medium: 'medium', high: 'high', urgent: 'urgent' } as const

async function writeConversation(reading: Reading, row: Row, sinceSeconds: number): Promise<boolean> {
  const id = idOf(row['id'])
  if (id === undefined || reading.has('conversations', id)) return false
  if (reading.isLeftOut('conversations', id) || activityOf(row) < sinceSeconds) return false
  const messages = await askMessages(reading, id)
  if (messages === undefined) {
    reading.leaveOutOnce('conversations', id, 'Deleted at the source')
    return true
  }
  await writeContact(reading, rowOf(rowOf(row['meta'])['sender']))
  await writeWithMessages(reading, row, { id, messages })
  return true
}

/** Writes a conversation whose person is in the package, and its messages. */
export async function writeWithMessages(
  reading: Reading,
  row: Row,
  { id, messages }: { id: string; messages: readonly Row[] },
): Promise<void> {
  const { sender, assignee, channel } = rowOf(row['meta'])
  const more = rowOf(row['additional_attributes'])
  const labels = textsOf(row['labels'], 200).slice(0, 1_000)
  for (const label of labels) await reading.label(label)
  const personId = idOf(rowOf(sender)['id'])
  const subject = textOf(more['mail_subject'], 10_000) ?? ''
  await reading.write('conversations', {
    id,
    subject,
    ...stateOf(row),
    channel: channelOf({ channel }),
    personId: personId !== undefined && reading.has('people', personId) ? personId : null,
    assigneeId: knownAgent(reading, rowOf(assignee)),
    inboxId: idOf(row['inbox_id']) ?? null,
    labels,
    createdAt: timeOf(row['created_at']) ?? reading.begunAt,
    externalUrl: new URL(
      `../../../../app/accounts/${accountOf(reading)}/conversations/${id}`,
      reading.client.options.base,
    ).href,
    ...reading.fields([
      ...namedFields(row['custom_attributes'], reading.fact<FieldNames>('conversationFields') ?? {}),
      ...Object.entries(more).filter(([key]) => key !== 'mail_subject'),
    ]),
  })
  for (const message of messages) await writeMessage(reading, { id, subject, personId }, message)
}

function stateOf(row: Row) {
  const word = textOf(row['status']) ?? ''
  const status = Object.hasOwn(statuses, word) ? statuses[word as keyof typeof statuses] : 'open'
  const priority = textOf(row['priority']) ?? ''
  const activityAt = timeOf(row['last_activity_at']) ?? timeOf(row['timestamp']) ?? null
  const firstReply = row['first_reply_created_at']
  return {
    status,
    statusWord: word || null,
    ...(status === 'snoozed' && { snoozedUntil: timeOf(row['snoozed_until']) ?? null }),
    ...(status === 'closed' && { closedAt: activityAt }),
    priority: Object.hasOwn(priorities, priority) ? priorities[priority as keyof typeof priorities] : null,
    updatedAt: timeOf(row['updated_at']) ?? activityAt,
    // Zero: nobody has replied, or the version of Chatwoot does not know.
    ...(typeof firstReply === 'number' && firstReply > 0 && { firstResponseAt: timeOf(firstReply) ?? null }),
  }
}

function knownAgent(reading: Reading, agent: Row): string | null {
  const id = idOf(agent['id'])
  return id !== undefined && reading.has('agents', id) ? id : null
}

function accountOf({ client }: Reading): string {
  return client.options.base.pathname.split('/').at(-2) ?? ''
}

/**
 * All messages of a conversation, the oldest first. A response holds the last twenty before a message: every version knows
 * `before`. Undefined: the conversation was deleted.
 */
async function askMessages(reading: Reading, id: string): Promise<Row[] | undefined> {
  const all: Row[] = []
  let before: number | undefined
  try {
    for (;;) {
      const answer = await reading.client.ask(`conversations/${id}/messages`, {
        query: { before },
        lists: ['payload'],
      })
      const page = rowsOf(answer['payload'])
      const oldest = Math.min(
        ...page.map((message) =>
          typeof message['id'] === 'number' ? message['id'] : Number.POSITIVE_INFINITY,
        ),
      )
      if (
        page.length === 0 ||
        (before !== undefined && oldest >= before) ||
        oldest === Number.POSITIVE_INFINITY
      )
        return all
      all.unshift(...page)
      before = oldest
    }
  } catch (error) {
    if (error instanceof RefusedError && error.status === 404) return undefined
    throw error
  }
}
