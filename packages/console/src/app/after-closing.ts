import { type Signal, signal } from '@preact/signals'
import { closeAfterSending, toggleClosed } from '../features/actions/change-conversation.ts'
import type { Store } from '../store/store.ts'
import { navigate, route } from '../ui/navigation.ts'
import { conversationAddress, listAddress, placeOf } from './addresses.ts'

/** The view after a conversation was closed: the same one, the next one of the list, or the list. */
export const closings = ['stay', 'next', 'list'] as const

const key = 'crm-console-after-closing'

function stored(): (typeof closings)[number] {
  const found = localStorage.getItem(key)
  return closings.find((one) => one === found) ?? 'stay'
}

export const afterClosing: Signal<(typeof closings)[number]> = signal(stored())

export function setAfterClosing(name: string): void {
  afterClosing.value = closings.find((one) => one === name) ?? 'stay'
  localStorage.setItem(key, afterClosing.value)
}

/** Within this time a second press of an impatient person does not open again what the first one has closed. */
const impatientMs = 1_000
let last = { id: '', at: Number.NEGATIVE_INFINITY }

/** Closes the conversation and goes where the person wants to be then, or opens it again. */
export function closeOrReopen(store: Store, id: string): void {
  const conversation = store.conversations.rows.peek(id)
  if (conversation === undefined) return
  const at = performance.now()
  if (conversation.status === 'closed' && last.id === id && at - last.at < impatientMs) return
  last = { id, at }
  const isClosing = conversation.status !== 'closed'
  if (isClosing) leaveClosed(store, id)
  toggleClosed({ store, conversation })
}

/** The same after a reply that was sent, where nobody has written since the message with the last id. */
export function closeSent(store: Store, id: string, lastSeenId: string | undefined): void {
  if (closeAfterSending(store, id, lastSeenId)) leaveClosed(store, id)
}

/** Goes on from a conversation that is being closed, unless the person already looks at another one. */
function leaveClosed(store: Store, id: string): void {
  const { list, conversationId, other } = placeOf(route.peek())
  if (afterClosing.peek() === 'stay' || conversationId !== id || other) return
  const { ids } = store.lists.open(list).peek()
  const at = ids.indexOf(id)
  const next = afterClosing.peek() === 'next' && at >= 0 ? (ids[at + 1] ?? ids[at - 1]) : undefined
  navigate(next === undefined ? listAddress(list) : conversationAddress(list, next))
}
