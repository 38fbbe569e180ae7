import {
  SourceFailure,
  type SourceLink,
  type SourcePage,
  type SourcePosition,
  type SourceRecord,
  type SourceWindow,
} from '../../ports/connector.ts'
import type { HubspotClient } from './hubspot-client.ts'
import { type LoggedMail, LoggedMails } from './hubspot-logged-mails.ts'
import { filesOfMessage, withMissingFiles } from './hubspot-missing-files.ts'
import { afterOf, resultsOf } from './hubspot-replies.ts'
import type { Json } from './hubspot-tokens.ts'

/** Conversations have no path of version 2026-03: the documents are of v3, which ends in 2027, and of this one. */
const version = '2026-09'
const threadsPath = `/conversations/conversations/${version}/threads`
/** Threads are read again after a crash, so a page of them is short. */
const threadsPerPage = 20
const messagesPerPage = 100
const recordsPerPage = 200

interface ThreadsReading {
  readonly client: HubspotClient
  /** Names of owners by `user:` and the id of their user. */
  readonly owners: ReadonlyMap<string, string>
  readonly window: SourceWindow
  readonly signal: AbortSignal
}

/** The checkpoint behind the e-mails: the page of threads at hand. */
interface ThreadsPosition extends SourcePosition {
  readonly v: 1
  readonly part: 'threads'
  readonly after: string | null
}

export function isOfThreads(position: unknown): position is ThreadsPosition {
  return (position as Partial<ThreadsPosition> | null)?.part === 'threads'
}

/** Reads the messages and the comments of threads, a page of threads after the other. */
export async function* threadPages(
  reading: ThreadsReading,
  from: ThreadsPosition,
): AsyncGenerator<SourcePage> {
  const mails = new LoggedMails(reading)
  let position: ThreadsPosition | null = from
  while (position !== null) {
    const { threads, next, sourceTime } = await listThreads(reading, position)
    let records: SourceRecord[] = []
    for (const thread of threads) {
      records.push(...(await messagesOf(reading, mails, thread)))
      while (records.length >= recordsPerPage) {
        // Until the last thread is read, the same page of threads begins again.
        yield { records: records.slice(0, recordsPerPage), next: position, sourceTime }
        records = records.slice(recordsPerPage)
      }
    }
    yield { records, next, sourceTime }
    position = next
  }
}

async function listThreads({ client, window, signal }: ThreadsReading, { after }: ThreadsPosition) {
  const { since } = window
  const response = await client
    .send({
      path: threadsPath,
      query: {
        limit: threadsPerPage,
        after,
        association: 'TICKET',
        // The document allows this order only together with this bound.
        ...(since !== null && { latestMessageTimestampAfter: since, sort: 'latestMessageTimestamp' }),
      },
      signal,
    })
    .catch(withoutInbox)
  const threads = resultsOf(response).filter(({ spam, archived }) => spam !== true && archived !== true)
  const nextAfter = afterOf(response.json)
  const next: ThreadsPosition | null = nextAfter === null ? null : { v: 1, part: 'threads', after: nextAfter }
  return { threads, next, sourceTime: response.date }
}

/** A portal without conversations refuses the list as such: that is no reason to end a run. */
function withoutInbox(error: unknown): never {
  if (error instanceof SourceFailure && error.kind === 'fatal')
    throw new SourceFailure('forbidden', error.message)
  throw error
}

async function messagesOf(
  reading: ThreadsReading,
  mails: LoggedMails,
  thread: Json,
): Promise<SourceRecord[]> {
  const { client, window, signal } = reading
  const parent = parentOf(thread)
  const path = `${threadsPath}/${encodeURIComponent(String(thread['id']))}/messages`
  const records: SourceRecord[] = []
  let after: string | null = null
  do {
    const query: Record<string, string | number | null> = { limit: messagesPerPage, after }
    const response = await client.send({ path, query, signal })
    for (const message of resultsOf(response)) {
      if (!isMessage(message) || !isInWindow(message, window)) continue
      if (parent !== null && (await mails.has(parent, loggedForm(message)))) continue
      records.push(await recordOf(reading, { message, parent }))
    }
    after = afterOf(response.json)
  } while (after !== null)
  return records
}

/** Returns the messages with these ids, as `recordOf` makes them. */
export async function messagesByIds(
  reading: ThreadsReading,
  ids: readonly string[],
): Promise<SourceRecord[]> {
  const { client, signal } = reading
  const records: SourceRecord[] = []
  for (const id of ids) {
    const border = id.indexOf('-')
    const path = `${threadsPath}/${encodeURIComponent(id.slice(0, border))}`
    const messageId = encodeURIComponent(id.slice(border + 1))
    try {
      const thread = await client.send({ path, query: { association: 'TICKET' }, signal })
      const { json: message } = await client.send({ path: `${path}/messages/${messageId}`, signal })
      if (isMessage(message))
        records.push(await recordOf(reading, { message, parent: parentOf(thread.json) }))
    } catch (error) {
      // It is no longer there.
      if (!(error instanceof SourceFailure) || error.kind !== 'fatal') throw error
    }
  }
  return records
}

/** An id of a message names its thread too; the id of an e-mail is a number. */
export const isOfMessage = (id: string) => id.includes('-')

/** The other types are changes of status, of an assignment or of an inbox, and a bot's welcome. */
function isMessage({ type, archived }: Json): boolean {
  return archived !== true && (type === 'MESSAGE' || type === 'COMMENT')
}

function isInWindow({ createdAt, updatedAt }: Json, { since, before }: SourceWindow): boolean {
  const ms = Date.parse(String(updatedAt ?? createdAt))
  if (Number.isNaN(ms)) return true
  return (since === null || ms >= Date.parse(since)) && (before === null || ms < Date.parse(before))
}

/** A thread without a ticket is kept with the notes about its contact. */
function parentOf({ threadAssociations, associatedContactId }: Json): SourceLink | null {
  const ticket = (threadAssociations as Json | undefined)?.['associatedTicketId']
  if (ticket !== undefined && ticket !== null) return { module: 'Cases', id: String(ticket) }
  if (associatedContactId === undefined || associatedContactId === null) return null
  return { module: 'Contacts', id: String(associatedContactId) }
}

function loggedForm({ text, direction, createdAt }: Json): LoggedMail {
  return {
    text: textOf(text) ?? '',
    isInbound: direction === 'INCOMING',
    atMs: Date.parse(String(createdAt)),
  }
}

interface Found {
  readonly message: Json
  readonly parent: SourceLink | null
}

async function recordOf(reading: ThreadsReading, { message, parent }: Found): Promise<SourceRecord> {
  const { text, richText, isCut } = await wholeText(reading, message)
  const isComment = message['type'] === 'COMMENT'
  const sender = senderOf(reading, message)
  const record: SourceRecord = {
    module: 'Emails',
    id: `${message['conversationsThreadId']}-${message['id']}`,
    row: null,
    createdAt: isoOf(message['createdAt']),
    modifiedAt: isoOf(message['updatedAt'] ?? message['createdAt']),
    url: null,
    person: null,
    parent,
    author: isComment ? { ...sender, role: null } : sender,
    fields: {
      content: text ?? richText,
      isHtml: text === null,
      isReply: !isComment,
      ownerName: sender.name,
    },
    customFields: {},
    warnings: isCut ? [{ code: 'SOURCE_TRUNCATED', message: 'the source shows the text only in part' }] : [],
  }
  return withMissingFiles(record, filesOfMessage(message))
}

async function wholeText({ client, signal }: ThreadsReading, message: Json) {
  const shown = { text: textOf(message['text']), richText: textOf(message['richText']) }
  // `TRUNCATED_TO_MOST_RECENT_REPLY` leaves out what the mail quotes, which is here already.
  if (message['truncationStatus'] !== 'TRUNCATED') return { ...shown, isCut: false }
  const path = `${threadsPath}/${message['conversationsThreadId']}/messages/${message['id']}/original-content`
  try {
    const { json } = await client.send({ path, signal })
    return { text: textOf(json['text']), richText: textOf(json['richText']), isCut: false }
  } catch (error) {
    if (!(error instanceof SourceFailure) || !['forbidden', 'fatal'].includes(error.kind)) throw error
    return { ...shown, isCut: true }
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** An actor is `V-` and the id of a contact, or `A-` and the id of a user. */
function senderOf({ owners }: ThreadsReading, { senders, createdBy, direction }: Json) {
  const [sender = {}] = (senders as readonly Json[] | undefined) ?? []
  const actor = String(sender['actorId'] ?? createdBy ?? '')
  const address = sender['deliveryIdentifier'] as Json | undefined
  const user = actor.startsWith('A-') ? owners.get(`user:${actor.slice(2)}`) : undefined
  return {
    id: /^V-\d+$/.test(actor) ? actor.slice(2) : null,
    email: address?.['type'] === 'HS_EMAIL_ADDRESS' ? textOf(address['value']) : null,
    name: textOf(sender['name']) ?? user ?? null,
    role: direction === 'INCOMING' ? ('customer' as const) : ('agent' as const),
  }
}

function isoOf(value: unknown): string | null {
  const ms = Date.parse(String(value))
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}
