import type { Conversation, UpdateConversation } from '@crmkit/sdk'
import { problemOf } from '../../api/problem.ts'
import { type Incoming, idOf } from '../../store/conversations.ts'
import { nameOfUser } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { t } from '../../strings/strings.ts'
import { showToast } from '../../ui/toasts.tsx'

export interface Change {
  readonly store: Store
  readonly conversation: Conversation
}

/** Shows the change immediately. A refusal takes it back and says why. */
export async function change<T>(work: Promise<T>, done: string, undo?: (result: T) => void): Promise<void> {
  try {
    const result = await work
    showToast(done, undo && { action: { text: t.actions.undo, run: () => undo(result) } })
  } catch (error) {
    showFailure(error)
  }
}

export function showFailure(error: unknown): void {
  showToast(t.actions.failed, { reason: problemOf(error) })
}

type Fields = Pick<
  UpdateConversation & Partial<Conversation>,
  'status' | 'snoozedUntil' | 'wakeOnReply' | 'assignedTo' | 'priority' | 'inboxId' | 'customerId'
>

/**
 * Makes a change, and offers an undo that restores what was there before. When somebody else has changed the same fields in the
 * meantime, the undo gives way.
 */
export function changeFields({ store, conversation }: Change, fields: Fields, done: string): Promise<void> {
  const { _id } = conversation
  const undo = (after: Incoming) =>
    void undone(
      store.conversations.update(_id, former(conversation, fields), expectedOf(after, fields)),
      store,
      _id,
    )
  return change(store.conversations.update(_id, fields), done, undo)
}

/** The status comes back with the moment at which a snooze ends. */
function former(conversation: Conversation, fields: Fields): Fields {
  const { status, snoozedUntil, wakeOnReply } = conversation
  const named = Object.keys(fields).filter((field) => field !== 'snoozedUntil' && field !== 'wakeOnReply')
  return {
    ...Object.fromEntries(named.map((field) => [field, Reflect.get(conversation, field)])),
    ...(fields.status !== undefined && status === 'snoozed' && { snoozedUntil, wakeOnReply }),
  }
}

function expectedOf(after: Incoming, fields: Fields): UpdateConversation['expected'] {
  const compared = Object.keys(fields).filter((field) => field !== 'wakeOnReply')
  return Object.fromEntries(compared.map((field) => [field, idOf(Reflect.get(after, field))]))
}

async function undone(work: Promise<unknown>, store: Store, id: string): Promise<void> {
  try {
    await work
    showToast(t.actions.undone)
  } catch (error) {
    const problem = problemOf(error)
    // The moment at which the snooze would have ended is over.
    if (problem.kind === 'invalid')
      return change(store.conversations.update(id, { status: 'open' }), t.actions.reopened)
    showToast(t.actions.notUndone, { reason: problem })
  }
}

export function toggleClosed({ store, conversation }: Change): void {
  const isClosed = conversation.status === 'closed'
  const done = isClosed ? t.actions.reopened : t.actions.closed
  void changeFields({ store, conversation }, { status: isClosed ? 'open' : 'closed' }, done)
}

/**
 * Closes a conversation whose reply was sent. One in which somebody else has written after the given message stays open: its
 * agent had not seen that; then it returns false.
 */
export function closeAfterSending(store: Store, id: string, lastSeenId: string | undefined): boolean {
  const conversation = store.conversations.rows.peek(id)
  if (conversation === undefined || conversation.status === 'closed') return false
  const { messages } = store.threads.open(id).peek()
  const later = messages.slice(messages.findIndex(({ _id }) => _id === lastSeenId) + 1)
  if (later.some(({ sender }) => sender._id !== store.me._id)) {
    showToast(t.actions.sentAndOpen)
    return false
  }
  void changeFields({ store, conversation }, { status: 'closed' }, t.actions.sentAndClosed)
  return true
}

export function assign({ store, conversation }: Change, userId: string | null): void {
  const user = store.users.peek().find(({ _id }) => _id === userId)
  const done = user ? t.actions.assigned(nameOfUser(user)) : t.actions.unassignedDone
  void changeFields({ store, conversation }, { assignedTo: userId }, done)
}

export function setPending(target: Change): void {
  void changeFields(target, { status: 'pending' }, t.views.pending)
}

export function markUnread({ store, conversation }: Change): void {
  const newest = store.threads.open(conversation._id).peek().messages.at(-1)
  if (newest !== undefined)
    void change(store.conversations.markUnread(conversation._id, newest._id), t.actions.markUnread)
}
