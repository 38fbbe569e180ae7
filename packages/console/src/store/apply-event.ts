import type { Conversation, LogEvent, Mention } from '@crmkit/sdk'
import { type Conversations, withPreview } from './conversations.ts'
import type { Threads } from './threads.ts'

export interface EventTargets {
  readonly conversations: Conversations
  readonly threads: Threads
  readonly myId: string
  /** A message of somebody else: for the notice, the sound and the badge. */
  onMessage(message: MessageOfEvent): void
  /** A note that mentions this person. */
  onMention(mention: Mention): void
  onUserChanged(): void
}

/** Brings one event of the log into what the screens show. Applying an event twice changes nothing. */
export function applyEvent(event: LogEvent, targets: EventTargets): void {
  switch (event.event) {
    case 'conversation.created':
    case 'conversation.updated':
    case 'conversation.assigned':
    case 'conversation.closed':
    case 'conversation.merged':
    case 'conversation.unmerged':
      targets.conversations.take(event.data)
      // A reply was taken back: what was said before it is not in the event.
      if (event.event === 'conversation.updated' && event.changes?.['messageCount'])
        targets.conversations.load(event.data._id).catch(() => undefined)
      break
    case 'message.sent':
    case 'message.received':
    case 'note.created':
      takeMessage(event.data, targets)
      break
    case 'mention.created':
      if (event.data.userId === targets.myId) targets.onMention(event.data)
      break
    case 'message.updated':
      targets.threads.take(event.data)
      takeWait(event.data, targets)
      break
    case 'message.deleted':
      targets.threads.remove(event.data._id)
      break
    case 'conversation.deleted':
      targets.conversations.remove(event.data._id)
      break
    case 'customer.created':
    case 'customer.updated':
      targets.conversations.customers.put(event.data)
      break
    case 'customer.deleted':
      void targets.conversations.customerDeleted(event.data._id)
      break
    case 'user.created':
    case 'user.updated':
    case 'user.deleted':
      targets.onUserChanged()
      break
    default:
    // Calls, erased subjects and types of later versions have no screen here.
  }
}

/** Of two times in ISO 8601. */
function later(a: string, b: string): string {
  return a < b ? b : a
}

export type MessageOfEvent = Extract<LogEvent, { event: 'message.sent' }>['data']

function takeMessage(message: MessageOfEvent, targets: EventTargets): void {
  const { conversations, threads, myId, onMessage } = targets
  const { conversation: about, conversationId, createdAt, sender } = message
  threads.take(message)
  const isOwn = sender.type === 'user' && sender._id === myId
  const known = conversations.rows.peek(conversationId)
  if (known === undefined) {
    // A list may show it: its other fields and its unread messages are not in this event.
    conversations.load(conversationId).catch(() => undefined)
  } else if (about.seq === known.seq) {
    // The event of the conversation that it has begun came first, without the text, and said nothing of this reader.
    if (known.lastMessage?._id === message._id)
      conversations.patch(conversationId, {
        ...factsOf(about, known),
        unread: known.unread ?? { count: Number(!isOwn), firstMessageId: isOwn ? null : message._id },
      })
  } else if (about.seq > known.seq) {
    const isNote = message.type === 'note'
    const unread = known.unread ?? { count: 0, firstMessageId: null }
    conversations.put({
      ...known,
      seq: about.seq,
      status: about.status,
      assignedTo: about.assignedTo,
      updatedAt: later(known.updatedAt, createdAt),
      ...factsOf(about, known),
      messageCount: known.messageCount + Number(!isNote),
      unread: isOwn
        ? unread
        : { count: Math.min(unread.count + 1, 100), firstMessageId: unread.firstMessageId ?? message._id },
    })
  }
  if (sender.type === 'customer') onMessage(message)
}

/** Returns the fields of a row about its messages. Only the event of a message has its text. */
function factsOf(
  { lastMessageAt, lastMessage, lastCustomerMessageAt, waitingSince }: MessageOfEvent['conversation'],
  known: Conversation,
) {
  return {
    lastMessageAt,
    lastMessage: withPreview(lastMessage, known.lastMessage),
    lastCustomerMessageAt,
    waitingSince,
  }
}

/** A reply that fails ends no wait: the customer waits again. */
function takeWait({ conversation: { _id, seq, waitingSince } }: MessageOfEvent, targets: EventTargets): void {
  const known = targets.conversations.rows.peek(_id)
  if (known !== undefined && known.seq <= seq) targets.conversations.patch(_id, { waitingSince })
}
