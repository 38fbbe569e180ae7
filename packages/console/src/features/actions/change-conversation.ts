import type { Conversation } from '@crmkit/sdk'
import { problemOf } from '../../api/problem.ts'
import { nameOfUser } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { t } from '../../strings/strings.ts'
import { showToast } from '../../ui/toasts.tsx'

export interface Change {
  readonly store: Store
  readonly conversation: Conversation
}

/** Shows the change immediately. A refusal takes it back and says why. */
export async function change(work: Promise<void>, done: string, undo?: () => void): Promise<void> {
  try {
    await work
    showToast(done, undo && { action: { text: t.actions.undo, run: undo } })
  } catch (error) {
    const { sentence, requestId } = problemOf(error)
    const detail = [sentence, requestId && t.common.requestId(requestId)].filter(Boolean).join(' ')
    showToast(t.actions.failed, { isDanger: true, detail })
  }
}

export function toggleClosed({ store, conversation }: Change): void {
  const { _id, status } = conversation
  const isClosed = status === 'closed'
  const set = (next: 'open' | 'closed') => store.conversations.update(_id, { status: next })
  void change(
    set(isClosed ? 'open' : 'closed'),
    isClosed ? t.actions.reopened : t.actions.closed,
    () => void change(set(isClosed ? 'closed' : 'open'), isClosed ? t.actions.closed : t.actions.reopened),
  )
}

/**
 * Closes a conversation whose reply was sent. One in which somebody else has written after the given message stays open: its
 * agent had not seen that.
 */
export function closeAfterSending(store: Store, id: string, lastSeenId: string | undefined): void {
  if (store.conversations.rows.peek(id)?.status === 'closed') return
  const { messages } = store.threads.open(id).peek()
  const later = messages.slice(messages.findIndex(({ _id }) => _id === lastSeenId) + 1)
  if (later.some(({ sender }) => sender._id !== store.me._id)) {
    showToast(t.actions.sentAndOpen)
    return
  }
  const reopen = () => void change(store.conversations.update(id, { status: 'open' }), t.actions.reopened)
  void change(store.conversations.update(id, { status: 'closed' }), t.actions.sentAndClosed, reopen)
}

export function assign({ store, conversation }: Change, userId: string | null): void {
  const user = store.users.peek().find(({ _id }) => _id === userId)
  const done = user ? t.actions.assigned(nameOfUser(user)) : t.actions.unassignedDone
  const before = conversation.assignedTo
  void change(
    store.conversations.update(conversation._id, { assignedTo: userId }),
    done,
    () => void change(store.conversations.update(conversation._id, { assignedTo: before }), t.actions.undo),
  )
}

export function setPending({ store, conversation }: Change): void {
  const set = (status: 'open' | 'pending') => store.conversations.update(conversation._id, { status })
  void change(set('pending'), t.views.pending, () => void change(set('open'), t.actions.reopened))
}

export function markUnread({ store, conversation }: Change): void {
  const newest = store.threads.open(conversation._id).peek().messages.at(-1)
  if (newest !== undefined)
    void change(store.conversations.markUnread(conversation._id, newest._id), t.actions.markUnread)
}
