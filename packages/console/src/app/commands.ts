import type { Conversation } from '@crmkit/sdk'
import { assign, markUnread, setPending } from '../features/actions/change-conversation.ts'
import type { Command } from '../features/palette/command.ts'
import { blockDialog } from '../store/names.ts'
import { mayEdit } from '../store/roles.ts'
import { chosenIn } from '../store/selection.ts'
import type { Store } from '../store/store.ts'
import { viewNames } from '../store/views.ts'
import { t } from '../strings/strings.ts'
import { navigate } from '../ui/navigation.ts'
import { undoNewest } from '../ui/toasts.tsx'
import { conversationAddress, type InboxPlace, listAddress, mentionsAddress } from './addresses.ts'
import { closeOrReopen } from './after-closing.ts'
import { focusPane } from './focus-pane.ts'

export type OpenDialog =
  | 'palette'
  | 'search'
  | 'keys'
  | 'assign'
  | 'labels'
  | 'snooze'
  | 'plan'
  | 'cannedReply'
  | 'mergeInto'
  | 'inbox'
  | 'customer'
  | 'newConversation'
  | 'availability'
  | 'notices'
  | 'team'
  | 'filter'
  | 'saveView'
  | 'editView'
  | 'priority'
  | 'editCustomer'
  | 'mergeCustomers'
  | 'unmergeCustomers'
  | 'exportCustomer'
  | 'eraseCustomer'
  | 'bulkStatus'
  | 'bulkAssign'
  | 'bulkPriority'
  | 'bulkLabels'
  | 'bulkInbox'
  | 'blockCustomer'
  | 'unblockCustomer'

interface CommandParts {
  readonly store: Store
  readonly place: InboxPlace
  readonly open: (dialog: OpenDialog) => void
  readonly signOut: () => void
}

const keyOfView = {
  mine: 'g m',
  unassigned: 'g u',
  waiting: 'g w',
  open: 'g o',
  pending: 'g p',
  snoozed: 'g s',
  closed: 'g c',
}

/** A reply that waits is taken back first: its seconds are fewer. */
function undo(): void {
  const waiting = document.querySelector<HTMLButtonElement>('button[name=take-back]')
  if (waiting) waiting.click()
  else undoNewest()
}

/** Everything that a person can do on the inbox screen. */
export function commandsOf(parts: CommandParts): Command[] {
  const { store, place, open, signOut } = parts
  const conversation = place.conversationId
    ? store.conversations.rows.row(place.conversationId).value
    : undefined
  return [
    ...moves(parts),
    ...(store.me.role === 'viewer' ? [] : writes(parts, conversation)),
    ...(conversation
      ? [
          {
            id: 'unread',
            text: t.actions.markUnread,
            key: 'u',
            run: () => markUnread({ store, conversation }),
          },
        ]
      : []),
    ...(conversation?.customerId ? customerCommands(parts, conversation.customerId) : []),
    ...(store.me.role === 'viewer'
      ? []
      : [
          { id: 'new', text: t.actions.newConversation, key: 'c', run: () => open('newConversation') },
          { id: 'undo', text: t.actions.undo, key: 'z', run: undo },
        ]),
    { id: 'filter', text: t.actions.filter, key: 'f', run: () => open('filter') },
    { id: 'search', text: t.actions.search, key: '/', run: () => open('search') },
    ...viewNames.map((view) => ({
      id: `view-${view}`,
      text: t.actions.goTo(t.views[view]),
      key: keyOfView[view],
      run: () => navigate(listAddress({ view })),
    })),
    {
      id: 'mentions',
      text: t.actions.goTo(t.nav.mentions),
      key: 'g n',
      run: () => navigate(mentionsAddress()),
    },
    { id: 'save-view', text: t.actions.saveView, key: 'b', run: () => open('saveView') },
    ...(mayEdit(store.me, place.list.saved)
      ? [{ id: 'edit-view', text: t.actions.editView, run: () => open('editView') }]
      : []),
    ...(store.savedViews.value ?? []).map(({ _id, name }) => ({
      id: `view-${_id}`,
      text: t.actions.goTo(name),
      run: () => navigate(listAddress({ view: 'open', savedId: _id })),
    })),
    { id: 'availability', text: t.availability.title, key: 'v', run: () => open('availability') },
    { id: 'notices', text: t.actions.notices, key: 'o', run: () => open('notices') },
    { id: 'team', text: t.actions.team, key: 'g t', run: () => open('team') },
    { id: 'palette', text: t.actions.palette, key: '⌘K', run: () => open('palette') },
    { id: 'keys', text: t.actions.keys, key: '?', run: () => open('keys') },
    { id: 'sign-out', text: t.nav.signOut, run: signOut },
  ]
}

/** Where the open conversation stood in its list, for when it has left the list: then its successor is there. */
let lastAt = 0

function moves({ store, place }: CommandParts): Command[] {
  const indexIn = (ids: readonly string[]) => (place.conversationId ? ids.indexOf(place.conversationId) : -1)
  const now = indexIn(store.lists.open(place.list).peek().ids)
  if (now >= 0) lastAt = now
  const move = (step: number) => {
    const { ids } = store.lists.open(place.list).peek()
    const at = indexIn(ids)
    const next = at >= 0 ? at + step : place.conversationId ? lastAt : 0
    const id = ids[Math.min(Math.max(next, 0), ids.length - 1)]
    if (id !== undefined) navigate(conversationAddress(place.list, id), { replace: at >= 0 })
  }
  return [
    { id: 'next', text: t.actions.next, key: 'j', run: () => move(1) },
    { id: 'previous', text: t.actions.previous, key: 'k', run: () => move(-1) },
    { id: 'next-pane', text: t.actions.nextPane, key: 'F6', run: () => focusPane(1) },
    { id: 'previous-pane', text: t.actions.previousPane, key: '⇧F6', run: () => focusPane(-1) },
  ]
}

function writes(parts: CommandParts, conversation: Conversation | undefined): Command[] {
  const many = parts.place.other ? [] : manyCommands(parts)
  const taken = new Set(many.map(({ id }) => id))
  const single = conversation ? changes(parts, conversation) : []
  // The same keys change the chosen ones while there are some.
  return [...many, ...single.filter(({ id }) => !taken.has(id))]
}

function manyCommands({ store, place, open }: CommandParts): Command[] {
  const { selection, lists } = store
  // The row that the arrows lead to, else the open conversation.
  const idNow = () =>
    document.activeElement?.closest<HTMLElement>('[data-id]')?.dataset['id'] ?? place.conversationId
  const choose = (take: (id: string) => void) => {
    const id = idNow()
    if (id !== undefined) take(id)
  }
  const range = (id: string) => selection.extend(lists.open(place.list).peek().ids, id)
  return [
    { id: 'choose', text: t.actions.choose, key: 'x', run: () => choose((id) => selection.toggle(id)) },
    { id: 'choose-to', text: t.actions.chooseTo, key: '⇧x', run: () => choose(range) },
    ...(chosenIn(store, place.list).length === 0
      ? []
      : [
          { id: 'close', text: t.actions.status, key: 'e', run: () => open('bulkStatus') },
          { id: 'snooze', text: t.actions.snooze, key: 's', run: () => open('bulkStatus') },
          { id: 'pending', text: t.actions.pending, key: 'w', run: () => open('bulkStatus') },
          { id: 'assign', text: t.actions.assign, key: 'a', run: () => open('bulkAssign') },
          { id: 'assign-me', text: t.actions.assignToMe, key: 'i', run: () => open('bulkAssign') },
          { id: 'labels', text: t.actions.label, key: 'l', run: () => open('bulkLabels') },
          { id: 'priority', text: t.actions.priority, key: 'y', run: () => open('bulkPriority') },
          { id: 'inbox', text: t.actions.inbox, key: 'm', run: () => open('bulkInbox') },
        ]),
  ]
}

function write(type: 'reply' | 'note'): void {
  const tabs = document.querySelectorAll<HTMLButtonElement>('.composer-tabs button')
  tabs[type === 'reply' ? 0 : 1]?.click()
}

function changes({ store, open }: CommandParts, conversation: Conversation): Command[] {
  const isClosed = conversation.status === 'closed'
  return [
    { id: 'reply', text: t.actions.reply, key: 'r', run: () => write('reply') },
    { id: 'note', text: t.actions.note, key: 'n', run: () => write('note') },
    {
      id: 'send',
      text: t.actions.send,
      key: '⌘⏎',
      run: () => document.querySelector<HTMLFormElement>('form.composer')?.requestSubmit(),
    },
    {
      id: 'send-close',
      text: t.actions.sendAndClose,
      key: '⌘⇧⏎',
      run: () => document.querySelector<HTMLButtonElement>('button[name=send-and-close]')?.click(),
    },
    { id: 'plan', text: t.plan.title, key: 't', run: () => open('plan') },
    { id: 'canned-reply', text: t.composer.cannedReply, key: 'q', run: () => open('cannedReply') },
    {
      id: 'close',
      text: isClosed ? t.actions.reopen : t.actions.close,
      key: 'e',
      run: () => closeOrReopen(store, conversation._id),
    },
    { id: 'assign', text: t.actions.assign, key: 'a', run: () => open('assign') },
    {
      id: 'assign-me',
      text: t.actions.assignToMe,
      key: 'i',
      run: () => assign({ store, conversation }, store.me._id),
    },
    { id: 'labels', text: t.actions.label, key: 'l', run: () => open('labels') },
    { id: 'priority', text: t.actions.priority, key: 'y', run: () => open('priority') },
    ...(conversation.status === 'pending'
      ? []
      : [
          {
            id: 'pending',
            text: t.actions.pending,
            key: 'w',
            run: () => setPending({ store, conversation }),
          },
        ]),
    { id: 'inbox', text: t.actions.inbox, key: 'm', run: () => open('inbox') },
    { id: 'customer', text: t.actions.customer, key: 'p', run: () => open('customer') },
    { id: 'snooze', text: t.actions.snooze, key: 's', run: () => open('snooze') },
    ...(conversation.customerId
      ? [{ id: 'merge-into', text: t.actions.mergeInto, run: () => open('mergeInto') }]
      : []),
  ]
}

/** Only admins may download all that is stored about a person. */
function customerCommands({ store, open }: CommandParts, customerId: string): Command[] {
  const { role } = store.me
  const block = blockDialog(store.conversations.customers.row(customerId).value)
  const isAdmin = role === 'admin' || role === 'owner'
  return [
    ...(role === 'viewer'
      ? []
      : [
          { id: 'edit-customer', text: t.actions.editCustomer, key: 'd', run: () => open('editCustomer') },
          { id: 'merge-customers', text: t.actions.mergeCustomers, run: () => open('mergeCustomers') },
          { id: 'block-customer', text: t.actions[block], run: () => open(block) },
          { id: 'erase-customer', text: t.actions.eraseCustomer, run: () => open('eraseCustomer') },
        ]),
    ...(isAdmin
      ? [{ id: 'export-customer', text: t.actions.exportCustomer, run: () => open('exportCustomer') }]
      : []),
  ]
}
