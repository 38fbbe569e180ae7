import { filterFields, isViewName, type ListFilter, type ListName } from '../store/views.ts'
import { addressOf, decoded } from '../ui/navigation.ts'

const otherPlaces = [
  'unsent',
  'mentions',
  'mail',
  'setup',
  'customers',
  'mailboxes',
  'analytics',
  'settings',
] as const

/** The screen of the inbox: a list, and the conversation that is open beside it. */
export interface InboxPlace {
  readonly list: ListName
  readonly conversationId: string | undefined
  /** Stands in the place of the list: replies that were not sent, notes that mention the person, mails that need a person, the first steps of a team, the customers, the mailboxes, the figures, or the settings. */
  readonly other: (typeof otherPlaces)[number] | undefined
}

// A part of an address is never empty, so absent values have a sign of their own.
const absent = '-'

/** `open~label.vip~sort.priority`: a view with its filter; a saved view has its id in the place of `open`. A part of the address has no other `~`. */
function viewPart({ view, savedId, filter = {} }: ListName): string {
  const set = filterFields.filter((field) => filter[field])
  const values = set.map(
    (field) => `~${field}.${encodeURIComponent(filter[field] ?? '').replaceAll('~', '%7E')}`,
  )
  return (savedId ?? view) + values.join('')
}

function filterOf(parts: readonly string[]): ListFilter | undefined {
  const values = filterFields.flatMap((field) => {
    const part = parts.find((one) => one.startsWith(`${field}.`))
    return part === undefined ? [] : [[field, decoded(part.slice(field.length + 1))]]
  })
  return values.length > 0 ? Object.fromEntries(values) : undefined
}

/** `inbox/VIEW/INBOX/SEARCH/CONVERSATION`, `unsent/CONVERSATION`, `mentions/CONVERSATION`, `mail`, `setup`, `mailboxes`, `analytics`, `customers/CUSTOMER/TAB`, `settings/SECTION/ROW`, or `c/CONVERSATION`, which notices and colleagues link to. */
export function placeOf(route: readonly string[]): InboxPlace {
  const [screen, ...parts] = route
  const other = otherPlaces.find((one) => one === screen)
  if (other || screen === 'c')
    return {
      list: { view: 'open' },
      conversationId: other === 'customers' || other === 'settings' ? undefined : parts[0],
      other,
    }
  const [viewAndFilter = '', inboxId = absent, search = absent, conversationId] =
    screen === 'inbox' ? parts : []
  const [view, ...filter] = viewAndFilter.split('~')
  return {
    list: {
      view: isViewName(view) ? view : 'open',
      savedId: view?.startsWith('viw_') ? view : undefined,
      inboxId: inboxId === absent ? undefined : inboxId,
      search: search === absent ? undefined : search,
      filter: filterOf(filter),
    },
    conversationId,
    other,
  }
}

/** The address of the replies that were not sent, and of the conversation of one of them. */
export function unsentAddress(conversationId?: string): string {
  return addressOf('unsent', ...(conversationId ? [conversationId] : []))
}

/** The address of the notes that mention the signed-in person, and of the conversation of one of them. */
export function mentionsAddress(conversationId?: string): string {
  return addressOf('mentions', ...(conversationId ? [conversationId] : []))
}

/** The address of the list in the place of another one, and of the conversation beside it. */
export function besideAddress(other: InboxPlace['other'], conversationId?: string): string {
  return other === 'mentions' ? mentionsAddress(conversationId) : unsentAddress(conversationId)
}

export function mailAddress(): string {
  return addressOf('mail')
}

export function mailboxesAddress(): string {
  return addressOf('mailboxes')
}

export function analyticsAddress(): string {
  return addressOf('analytics')
}

export function settingsAddress(...parts: readonly (string | undefined)[]): string {
  return addressOf('settings', ...parts.filter((part) => part !== undefined))
}

export function setupAddress(): string {
  return addressOf('setup')
}

/** `tab`: the part of the customer that is shown first. */
export function customersAddress(customerId?: string, tab?: string): string {
  return addressOf('customers', ...[customerId, tab].filter((part) => part !== undefined))
}

export function listAddress(list: ListName): string {
  return addressOf('inbox', viewPart(list), list.inboxId ?? absent, list.search || absent)
}

export function conversationAddress(list: ListName, id: string): string {
  return `${listAddress(list)}/${encodeURIComponent(id)}`
}
