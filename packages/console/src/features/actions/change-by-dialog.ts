import type { Store } from '../../store/store.ts'
import type { priorities } from '../../store/views.ts'
import { t } from '../../strings/strings.ts'
import { exactTime } from '../../strings/times.ts'
import { type Change, change } from './change-conversation.ts'
import { type ChosenCustomer, customerIdOf } from './chosen-customer.ts'

/* The changes that a dialog asks for: they are loaded with it. */

/** Automatic assignment considers people who are online. */
export const availabilities = ['online', 'away', 'offline'] as const
type Availability = (typeof availabilities)[number]

export function setPriority({ store, conversation }: Change, priority: (typeof priorities)[number]): void {
  const { _id, priority: before } = conversation
  const set = (next: typeof priority) => store.conversations.update(_id, { priority: next })
  void change(
    set(priority),
    t.actions.priority,
    () => void change(set(before as typeof priority), t.actions.undo),
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
