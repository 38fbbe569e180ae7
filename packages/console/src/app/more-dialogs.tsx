import type { Conversation } from '@crmkit/sdk'
import type { JSX } from 'preact'
import type { Command } from '../features/palette/command.ts'
import type { Store } from '../store/store.ts'
import { t } from '../strings/strings.ts'
import { Dialog } from '../ui/dialog.tsx'
import { lazy } from '../ui/lazy.tsx'
import type { InboxPlace } from './addresses.ts'
import type { OpenDialog } from './commands.ts'

export interface DialogProps {
  readonly store: Store
  readonly place: InboxPlace
  readonly commands: readonly Command[]
  readonly conversation: Conversation | undefined
  readonly dialog: OpenDialog
  readonly onClose: () => void
}

/** Most dialogs are opened after a while, so they are no part of the first load. */
const Contents = lazy('dialogs', () =>
  import('./dialog-contents.tsx').then(({ DialogContents }) => DialogContents),
)

/** Called when the inbox is shown, so that a dialog that is opened later has its fields immediately. */
export const preloadDialogs: () => void = Contents.preload

/** The dialogs whose insides are loaded apart. The dialog itself holds the focus before that. */
const titles = (): Readonly<Record<OpenDialog, string>> => ({
  palette: t.dialogs.palette,
  search: t.actions.search,
  keys: t.dialogs.keys,
  assign: t.dialogs.assign,
  labels: t.dialogs.labels,
  snooze: t.dialogs.snooze,
  priority: t.actions.priority,
  inbox: t.actions.inbox,
  customer: t.actions.customer,
  plan: t.plan.title,
  cannedReply: t.composer.cannedReply,
  mergeInto: t.actions.mergeInto,
  bulkStatus: t.actions.status,
  bulkAssign: t.dialogs.assign,
  bulkPriority: t.actions.priority,
  bulkLabels: t.dialogs.labels,
  bulkInbox: t.actions.inbox,
  filter: t.actions.filter,
  saveView: t.actions.saveView,
  editView: t.actions.editView,
  newConversation: t.actions.newConversation,
  availability: t.availability.title,
  notices: t.actions.notices,
  team: t.actions.team,
  editCustomer: t.actions.editCustomer,
  mergeCustomers: t.actions.mergeCustomers,
  unmergeCustomers: t.actions.unmergeCustomers,
  exportCustomer: t.actions.exportCustomer,
  eraseCustomer: t.actions.eraseCustomer,
  blockCustomer: t.actions.blockCustomer,
  unblockCustomer: t.actions.unblockCustomer,
})

export function MoreDialogs(
  props: Omit<DialogProps, 'dialog'> & { readonly dialog: OpenDialog | undefined },
): JSX.Element | null {
  const { dialog, onClose } = props
  if (dialog === undefined) return null
  return (
    <Dialog title={titles()[dialog]} onClose={onClose}>
      <Contents {...props} dialog={dialog} />
    </Dialog>
  )
}
