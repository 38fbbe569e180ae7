import { mailMs } from './objects.ts'
import { failed, type Reply } from './reply.ts'

const base = '/conversations/conversations/2026-09/threads'
const cutAt = 40

export interface ThreadMessage {
  id: string
  type: 'MESSAGE' | 'COMMENT' | 'THREAD_STATUS_CHANGE'
  text: string
  isInbound: boolean
  atMs: number
  /** Shown in part, as HubSpot does with long texts. */
  isCut?: boolean
  /** Names of files. */
  files?: readonly string[]
}

interface Thread {
  id: string
  ticketId: string | null
  contactId: string
  messages: ThreadMessage[]
}

const isoOf = (ms: number) => new Date(ms).toISOString()

/** The conversations of the portal. */
export class Threads {
  readonly #threads: Thread[]

  constructor(count: number) {
    this.#threads = Array.from({ length: count }, (_, index) => {
      const id = String(501 + index)
      return { id: String(9_001 + index), ticketId: id, contactId: id, messages: messagesOf(index) }
    })
  }

  create(messages: readonly ThreadMessage[], of: { ticketId: string | null; contactId: string }): string {
    const id = String(9_001 + this.#threads.length)
    this.#threads.push({ id, ...of, messages: [...messages] })
    return id
  }

  add(threadId: string, message: ThreadMessage): void {
    this.#threads.find(({ id }) => id === threadId)?.messages.push(message)
  }

  respond(path: string, query: URLSearchParams): Reply {
    const [, threadId, rest, messageId, original] =
      /^\/conversations\/conversations\/2026-09\/threads(?:\/(\d+))?(\/messages)?(?:\/([^/]+))?(\/original-content)?$/.exec(
        path,
      ) ?? []
    if (threadId === undefined) return path === base ? this.#list(query) : failed(404, 'OBJECT_NOT_FOUND')
    const thread = this.#threads.find(({ id }) => id === threadId)
    const message = thread?.messages.find(({ id }) => id === messageId)
    if (thread === undefined || (messageId !== undefined && message === undefined))
      return failed(404, 'OBJECT_NOT_FOUND')
    if (message !== undefined && original !== undefined)
      return { status: 200, body: { text: message.text, richText: `<p>${message.text}</p>` } }
    if (message !== undefined) return { status: 200, body: shownMessage(thread, message) }
    if (rest === undefined) return { status: 200, body: shownThread(thread) }
    return paged(thread.messages, query, (one) => shownMessage(thread, one))
  }

  #list(query: URLSearchParams): Reply {
    const after = query.get('latestMessageTimestampAfter')
    if (query.get('sort') === 'latestMessageTimestamp' && after === null)
      return failed(400, 'VALIDATION_ERROR')
    const found = this.#threads.filter(
      (thread) => after === null || (thread.messages.at(-1)?.atMs ?? 0) > Date.parse(after),
    )
    return paged(found, query, shownThread)
  }
}

/** A question by mail, which the emails hold too; a reply in the chat, a comment, and a change of status. */
function messagesOf(index: number): ThreadMessage[] {
  const atMs = mailMs(index)
  return [
    {
      id: `a${index}`,
      type: 'MESSAGE',
      text: `Mail ${index}: it is stuck again`,
      isInbound: index % 2 === 0,
      atMs,
    },
    {
      id: `b${index}`,
      type: 'MESSAGE',
      text: `Reply ${index} in the chat, with a long explanation`,
      isInbound: false,
      atMs: atMs + 3_600_000,
      isCut: true,
    },
    {
      id: `c${index}`,
      type: 'COMMENT',
      text: `Comment ${index}`,
      isInbound: false,
      atMs: atMs + 3_700_000,
    },
    { id: `d${index}`, type: 'THREAD_STATUS_CHANGE', text: '', isInbound: false, atMs: atMs + 3_800_000 },
  ]
}

function paged<T>(all: readonly T[], query: URLSearchParams, show: (one: T) => object): Reply {
  const limit = Number(query.get('limit') ?? 100)
  const start = Number(query.get('after') ?? 0)
  const end = start + limit
  const paging = end < all.length && { paging: { next: { after: String(end), link: '' } } }
  return { status: 200, body: { results: all.slice(start, end).map(show), ...paging } }
}

function shownThread({ id, ticketId, contactId, messages }: Thread) {
  return {
    id,
    createdAt: isoOf(messages[0]?.atMs ?? 0),
    archived: false,
    associatedContactId: contactId,
    inboxId: '7',
    originalChannelAccountId: '8',
    originalChannelId: '1002',
    latestMessageTimestamp: isoOf(messages.at(-1)?.atMs ?? 0),
    spam: false,
    status: 'OPEN',
    ...(ticketId !== null && { threadAssociations: { associatedTicketId: ticketId } }),
  }
}

function shownMessage(
  thread: Thread,
  { id, type, text, isInbound, atMs, isCut = false, files = [] }: ThreadMessage,
) {
  const actorId = isInbound ? `V-${thread.contactId}` : 'A-1091'
  const shared = {
    id,
    conversationsThreadId: thread.id,
    createdAt: isoOf(atMs),
    createdBy: actorId,
    client: { clientType: 'HUBSPOT' },
    senders: [{ actorId }],
    recipients: [],
    archived: false,
    type,
  }
  if (type === 'THREAD_STATUS_CHANGE') return { ...shared, newStatus: 'CLOSED' }
  const shown = isCut ? text.slice(0, cutAt) : text
  const written = { ...shared, text: shown, richText: `<p>${shown}</p>`, attachments: files.map(fileOf) }
  if (type === 'COMMENT') return written
  return {
    ...written,
    direction: isInbound ? 'INCOMING' : 'OUTGOING',
    truncationStatus: isCut ? 'TRUNCATED' : 'NOT_TRUNCATED',
    channelId: '1002',
    channelAccountId: '8',
  }
}

function fileOf(name: string, index: number) {
  return {
    type: 'FILE',
    fileId: String(7_000 + index),
    fileUsageType: 'OTHER',
    name,
    url: `https://example.com/${index}`,
  }
}
