import { isViewName, type ListName } from '../store/views.ts'
import { addressOf } from '../ui/navigation.ts'

/** The screen of the inbox: a list, and the conversation that is open beside it. */
export interface InboxPlace {
  readonly list: ListName
  readonly conversationId: string | undefined
}

// A part of an address is never empty, so absent values have a sign of their own.
const absent = '-'

/** `inbox/VIEW/INBOX/SEARCH/CONVERSATION`, or `c/CONVERSATION`, which notices and colleagues link to. */
export function placeOf(route: readonly string[]): InboxPlace {
  const [screen, ...parts] = route
  if (screen === 'c') return { list: { view: 'open' }, conversationId: parts[0] }
  const [view, inboxId = absent, search = absent, conversationId] = screen === 'inbox' ? parts : []
  return {
    list: {
      view: isViewName(view) ? view : 'open',
      inboxId: inboxId === absent ? undefined : inboxId,
      search: search === absent ? undefined : search,
    },
    conversationId,
  }
}

export function listAddress({ view, inboxId, search }: ListName): string {
  return addressOf('inbox', view, inboxId ?? absent, search || absent)
}

export function conversationAddress({ view, inboxId, search }: ListName, id: string): string {
  return addressOf('inbox', view, inboxId ?? absent, search || absent, id)
}
