import type { Conversation } from '@crmkit/sdk'
import { problemOf } from '../../api/problem.ts'
import { nameOfUser } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { t } from '../../strings/strings.ts'
import { exactTime } from '../../strings/times.ts'
import { showToast } from '../../ui/toasts.tsx'
import { type ChosenCustomer, customerIdOf } from './customer-chooser.tsx'

/** Automatic assignment considers people who are online. */
export const availabilities = ['online', 'away', 'offline'] as const
type Availability = (typeof availabilities)[number]

interface Change {
  readonly store: Store
  readonly conversation: Conversation
}

/** Shows the change immediately. A refusal takes it back and says why. */
async function change(work: Promise<void>, done: string, undo?: () => void): Promise<void> {
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

export function moveToInbox({ store, conversation }: Change, inboxId: string): void {
  const name = store.inboxes.peek().find(({ _id }) => _id === inboxId)?.name ?? ''
  const before = conversation.inboxId
  void change(
    store.conversations.update(conversation._id, { inboxId }),
    t.actions.moved(name),
    () => void change(store.conversations.update(conversation._id, { inboxId: before }), t.actions.undo),
  )
}

export function setCustomer({ store, conversation }: Change, chosen: ChosenCustomer): void {
  const work = async () => {
    const customerId = await customerIdOf(store, chosen)
    await store.conversations.update(conversation._id, { customerId })
    await store.conversations.load(conversation._id)
  }
  const before = conversation.customerId
  void change(
    work(),
    t.actions.customerChanged,
    () => void change(store.conversations.update(conversation._id, { customerId: before }), t.actions.undo),
  )
}

export function setAvailability(store: Store, availability: Availability): void {
  const work = async () => {
    const me = await store.crm.users.updateMe({ availability })
    store.users.value = store.users.peek().map((user) => (user._id === me._id ? me : user))
  }
  void change(work(), t.availability.done(t.availability.names[availability]))
}

/** @param until ISO 8601; null: until the customer replies. */
export function snooze({ store, conversation }: Change, until: string | null): void {
  const done = t.actions.snoozedUntil(until === null ? t.dialogs.untilReply : exactTime(until))
  const set = { status: 'snoozed', snoozedUntil: until } as const
  void change(
    store.conversations.update(conversation._id, set),
    done,
    () => void change(store.conversations.update(conversation._id, { status: 'open' }), t.actions.reopened),
  )
}

export function setLabels({ store, conversation }: Change, labels: readonly string[]): void {
  void change(store.conversations.setLabels(conversation._id, labels), t.dialogs.labels)
}

export function markUnread({ store, conversation }: Change): void {
  const newest = store.threads.open(conversation._id).peek().messages.at(-1)
  if (newest !== undefined)
    void change(store.conversations.markUnread(conversation._id, newest._id), t.actions.markUnread)
}
