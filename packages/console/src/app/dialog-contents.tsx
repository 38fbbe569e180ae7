import type { JSX } from 'preact'
import {
  BulkAssignContent,
  BulkInboxContent,
  BulkLabelContent,
  BulkPriorityContent,
  type BulkProps,
  BulkStatusContent,
} from '../features/actions/bulk-contents.tsx'
import { CannedReplyContent } from '../features/actions/canned-reply-content.tsx'
import {
  AssignContent,
  AvailabilityContent,
  type ChangeProps,
  CustomerContent,
  InboxContent,
  LabelContent,
  PriorityContent,
  SnoozeContent,
} from '../features/actions/change-contents.tsx'
import { MergeConversationsContent } from '../features/actions/merge-conversations.tsx'
import { NewConversationContent } from '../features/actions/new-conversation.tsx'
import { PlanContent } from '../features/actions/plan-content.tsx'
import { BlockCustomerContent } from '../features/customer/block-customer.tsx'
import { EditCustomerContent } from '../features/customer/edit-customer.tsx'
import { EraseCustomerContent } from '../features/customer/erase-customer.tsx'
import { ExportCustomerContent } from '../features/customer/export-customer.tsx'
import { MergeCustomersContent } from '../features/customer/merge-customers.tsx'
import { UnmergeContent } from '../features/customer/unmerge-customers.tsx'
import { FilterContent } from '../features/inbox/filter-content.tsx'
import { ViewContent } from '../features/inbox/view-content.tsx'
import { NoticesContent } from '../features/notices/notices-content.tsx'
import { KeyHelpContent, PaletteContent } from '../features/palette/palette.tsx'
import { SearchContent } from '../features/search/search-content.tsx'
import { TeamContent } from '../features/sign-in/team-content.tsx'
import { formatKeyHelp } from '../features/thread/composer-tools.tsx'
import { isWhole } from '../store/names.ts'
import { navigate } from '../ui/navigation.ts'
import { conversationAddress, listAddress } from './addresses.ts'
import type { OpenDialog } from './commands.ts'
import type { DialogProps } from './more-dialogs.tsx'
import { session } from './running-console.ts'

type Contents = Partial<Record<OpenDialog, (props: ChangeProps) => JSX.Element>>

/** About the open conversation. */
const ofConversation: Contents = {
  assign: AssignContent,
  labels: LabelContent,
  snooze: SnoozeContent,
  priority: PriorityContent,
  inbox: InboxContent,
  customer: CustomerContent,
  plan: PlanContent,
  cannedReply: CannedReplyContent,
  mergeInto: MergeConversationsContent,
}

/** About the chosen conversations. */
const ofMany: Partial<Record<OpenDialog, (props: BulkProps) => JSX.Element>> = {
  bulkStatus: BulkStatusContent,
  bulkAssign: BulkAssignContent,
  bulkPriority: BulkPriorityContent,
  bulkLabels: BulkLabelContent,
  bulkInbox: BulkInboxContent,
}

/** About the customer of the open conversation. */
const ofCustomer = {
  editCustomer: EditCustomerContent,
  mergeCustomers: MergeCustomersContent,
  exportCustomer: ExportCustomerContent,
  eraseCustomer: EraseCustomerContent,
  blockCustomer: BlockCustomerContent,
  unblockCustomer: BlockCustomerContent,
} as const

/** The inside of the open dialog. */
export function DialogContents(props: DialogProps): JSX.Element | null {
  const { store, place, commands, conversation, dialog, onClose } = props
  const Change = ofConversation[dialog]
  if (Change !== undefined)
    return conversation ? <Change store={store} conversation={conversation} onClose={onClose} /> : null
  const Many = ofMany[dialog]
  if (Many !== undefined) return <Many store={store} list={place.list} onClose={onClose} />
  if (dialog in ofCustomer) return <CustomerDialogContent {...props} />
  switch (dialog) {
    case 'palette':
      return <PaletteContent commands={commands} onClose={onClose} />
    case 'search':
      return (
        <SearchContent
          store={store}
          addressOf={(id) => conversationAddress(place.list, id)}
          onClose={onClose}
        />
      )
    case 'keys':
      return <KeyHelpContent commands={commands} written={formatKeyHelp()} />
    case 'availability':
      return <AvailabilityContent store={store} onClose={onClose} />
    case 'notices':
      return <NoticesContent />
    case 'team':
      return <TeamContent store={store} session={session} />
    case 'unmergeCustomers':
      return (
        <UnmergeContent
          store={store}
          addressOf={(id) => conversationAddress(place.list, id)}
          onClose={onClose}
        />
      )
    case 'filter':
      return (
        <FilterContent
          store={store}
          list={place.list}
          onChange={(filter) => navigate(listAddress({ ...place.list, filter }), { replace: true })}
          onClose={onClose}
        />
      )
    case 'saveView':
    case 'editView':
      return (
        <ViewContent
          key={dialog}
          store={store}
          list={place.list}
          isNew={dialog === 'saveView'}
          onOpen={(savedId) => navigate(listAddress({ view: 'open', savedId }), { replace: true })}
          onClose={onClose}
        />
      )
    case 'newConversation':
      return (
        <NewConversationContent
          store={store}
          onClose={onClose}
          onMade={(id) => navigate(conversationAddress({ view: 'open' }, id))}
        />
      )
    default:
      return null
  }
}

function CustomerDialogContent({ store, place, conversation, dialog, onClose }: DialogProps) {
  const customer = conversation?.customerId
    ? store.conversations.customers.row(conversation.customerId).value
    : undefined
  const Content = Reflect.get(ofCustomer, dialog) as (typeof ofCustomer)[keyof typeof ofCustomer]
  if (customer === undefined || !isWhole(customer)) return null
  return (
    <Content
      store={store}
      customer={customer}
      onClose={onClose}
      onErased={() => {
        onClose()
        navigate(listAddress(place.list))
      }}
    />
  )
}

export { BulkBar } from '../features/actions/bulk-bar.tsx'
export { CreateTeamScreen, Registration } from '../features/sign-in/create-team.tsx'
export { OtherDrafts } from '../features/thread/other-drafts.tsx'
export { OtherLinks } from './other-links.tsx'
export { OtherPane } from './other-pane.tsx'
export { Profile } from './profile.tsx'
export { StatusLines } from './status-lines.tsx'
