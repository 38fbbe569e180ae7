import type { User } from '@crmkit/sdk'
import type { Store } from './store.ts'

/** Shows a user as the service has just returned them. */
export function takeUser(store: Store, user: User): void {
  store.users.value = store.users.peek().map((known) => (known._id === user._id ? user : known))
}

/** The signed-in person as they are now. */
export function ownUser(store: Store): User {
  return store.users.value.find(({ _id }) => _id === store.me._id) ?? store.me
}
