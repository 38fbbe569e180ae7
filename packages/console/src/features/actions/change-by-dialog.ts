import type { Store } from '../../store/store.ts'
import { takeUser } from '../../store/take-user.ts'
import type { priorities } from '../../store/views.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { momentTime } from '../../strings/times.ts'
import { type Change, change, changeFields, showFailure } from './change-conversation.ts'
import { type ChosenCustomer, customerIdOf } from './chosen-customer.ts'

/* The changes that a dialog asks for: they are loaded with it. */

export function setPriority({ store, conversation }: Change, priority: (typeof priorities)[number]): void {
  void changeFields(
    { store, conversation },
    { priority },
    `${t.actions.priority}: ${t.list.filters[priority]}`,
  )
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

/** The availability that a person sets: null leaves it to the service, `until` (ISO 8601) does so from then on. */
export interface ChosenAvailability {
  readonly availability: keyof typeof more.availability.names | null
  readonly until?: string
}

export function setAvailability(store: Store, { availability, until }: ChosenAvailability): void {
  const work = async () => {
    const me = await store.crm.users.updateMe({ availability, ...(until && { availabilityUntil: until }) })
    takeUser(store, me)
  }
  const { names, done, doneAutomatic } = more.availability
  void change(work(), availability === null ? doneAutomatic : done(names[availability]))
}

/** @param until ISO 8601; null: until the customer replies. */
export function snooze({ store, conversation }: Change, until: string | null): void {
  const done =
    until === null ? `${t.views.snoozed}: ${t.dialogs.untilReply}` : t.actions.snoozedUntil(momentTime(until))
  void changeFields({ store, conversation }, { status: 'snoozed', snoozedUntil: until }, done)
}

export function setLabels({ store, conversation }: Change, labels: readonly string[]): void {
  void change(
    store.conversations.setLabels(conversation._id, labels),
    `${t.dialogs.labels}: ${labels.join(', ') || '–'}`,
  )
}
