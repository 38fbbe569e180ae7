import type { Store } from '../../store/store.ts'
import type { priorities } from '../../store/views.ts'
import { t } from '../../strings/strings.ts'
import { exactTime } from '../../strings/times.ts'
import { type Change, change, changeFields, showFailure } from './change-conversation.ts'
import { type ChosenCustomer, customerIdOf } from './chosen-customer.ts'

/* The changes that a dialog asks for: they are loaded with it. */

/** Automatic assignment considers people who are online. */
export const availabilities = ['online', 'away', 'offline'] as const
type Availability = (typeof availabilities)[number]

export function setPriority({ store, conversation }: Change, priority: (typeof priorities)[number]): void {
  void changeFields({ store, conversation }, { priority }, t.actions.priority)
}

export function moveToInbox({ store, conversation }: Change, inboxId: string): void {
  const name = store.inboxes.peek().find(({ _id }) => _id === inboxId)?.name ?? ''
  void changeFields({ store, conversation }, { inboxId }, t.actions.moved(name))
}

export async function setCustomer({ store, conversation }: Change, chosen: ChosenCustomer): Promise<void> {
  try {
    const customerId = await customerIdOf(store, chosen)
    await changeFields({ store, conversation }, { customerId }, t.actions.customerChanged)
    await store.conversations.load(conversation._id)
  } catch (error) {
    showFailure(error)
  }
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
  void changeFields({ store, conversation }, { status: 'snoozed', snoozedUntil: until }, done)
}

export function setLabels({ store, conversation }: Change, labels: readonly string[]): void {
  void change(store.conversations.setLabels(conversation._id, labels), t.dialogs.labels)
}
