import type { Inbox } from '@crmkit/sdk'
import type { Store } from './store.ts'

/** No event says that the settings of an inbox have changed, so a screen that changes or reads one puts it here. */
export function putInbox({ inboxes }: Store, changed: Inbox): void {
  inboxes.value = inboxes.peek().map((inbox) => (inbox._id === changed._id ? changed : inbox))
}
