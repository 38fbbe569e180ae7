import type { LiveEvent, User, ViewCount } from '@crmkit/sdk'
import type { Signal } from '@preact/signals'
import type { Conversations } from './conversations.ts'
import type { Drafts } from './drafts.ts'
import type { PresenceStore } from './presence.ts'

/** The counts of the views and inboxes, by name or id. */
export type Counts = Readonly<Record<string, ViewCount>>

export interface LiveTargets {
  readonly conversations: Conversations
  readonly counts: Signal<Counts>
  readonly presence: PresenceStore
  readonly drafts: Drafts
  readonly users: Signal<readonly User[]>
  readonly changedNotes: Signal<ChangedNotes>
}

/** The customer whose notes somebody has changed last: another object for each change. */
export type ChangedNotes = { readonly customerId: string } | undefined

/** Brings one live event into what the screens show. */
export function applyLive(event: LiveEvent, targets: LiveTargets): void {
  const { conversations, counts, presence, drafts, users } = targets
  switch (event.event) {
    case 'counts.changed':
      // Values, not differences: a missed one does no harm (ADR 0023).
      counts.value = { ...counts.peek(), ...event.data.views }
      break
    case 'presence.changed':
      presence.takePresent(event.data)
      break
    case 'typing':
      presence.takeTyping(event.data)
      break
    case 'draft.updated':
    case 'draft.deleted':
      drafts.takeEvent(event.data, event.event === 'draft.deleted')
      break
    case 'conversation.read':
      conversations.takeRead(event.data.conversationId, event.data.seq)
      break
    case 'customer.notes':
      targets.changedNotes.value = event.data
      break
    case 'availability.changed': {
      const { userId, availability } = event.data
      users.value = users.peek().map((user) => (user._id === userId ? { ...user, availability } : user))
      break
    }
    default:
    // Types of later versions have no screen here.
  }
}
