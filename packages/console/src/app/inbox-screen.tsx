import type { Conversation } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { closeAfterSending, toggleClosed } from '../features/actions/change-conversation.ts'
import {
  AssignDialog,
  AvailabilityDialog,
  CustomerDialog,
  InboxDialog,
  LabelDialog,
  SnoozeDialog,
} from '../features/actions/dialogs.tsx'
import { CustomerPanel } from '../features/customer/customer-panel.tsx'
import { ConversationList } from '../features/inbox/conversation-list.tsx'
import { NoticesDialog } from '../features/notices/notices-dialog.tsx'
import { KeyHelp, Palette } from '../features/palette/palette.tsx'
import { useKeys } from '../features/palette/use-keys.ts'
import { Thread } from '../features/thread/thread.tsx'
import type { Store } from '../store/store.ts'
import { t } from '../strings/strings.ts'
import { IconButton } from '../ui/button.tsx'
import { navigate, route } from '../ui/navigation.ts'
import { Empty } from '../ui/states.tsx'
import { conversationAddress, listAddress, placeOf } from './addresses.ts'
import { commandsOf, type OpenDialog } from './commands.ts'
import { MoreDialogs } from './more-dialogs.tsx'
import { NavigationPane } from './navigation-pane.tsx'

interface InboxScreenProps {
  readonly store: Store
  readonly onSignOut: () => void
}

/** The dialogs that change the open conversation. */
const changeDialogs: Readonly<Record<string, typeof AssignDialog>> = {
  assign: AssignDialog,
  labels: LabelDialog,
  snooze: SnoozeDialog,
  inbox: InboxDialog,
  customer: CustomerDialog,
}

/** Views, list, thread and customer beside each other; on a narrow screen one at a time. */
export function InboxScreen({ store, onSignOut }: InboxScreenProps): JSX.Element {
  const place = placeOf(route.value)
  const { list, conversationId } = place
  const [dialog, setDialog] = useState<OpenDialog | undefined>(undefined)
  const [showsNavigation, setShowsNavigation] = useState(false)
  const [showsCustomer, setShowsCustomer] = useState(false)
  const commands = commandsOf({ store, place, open: setDialog, signOut: onSignOut })
  useKeys(commands)
  const close = () => setDialog(undefined)
  const ChangeDialog = changeDialogs[dialog ?? '']
  useEffect(() => setShowsNavigation(false), [route.value])
  const conversation = conversationId ? store.conversations.rows.row(conversationId).value : undefined
  const addressOfRow = (id: string) => conversationAddress(list, id)
  const title = list.inboxId
    ? (store.inboxes.value.find(({ _id }) => _id === list.inboxId)?.name ?? t.views[list.view])
    : t.views[list.view]
  const panes = [
    'panes',
    conversationId && 'panes-thread',
    showsNavigation && 'panes-nav',
    showsCustomer && 'panes-customer',
  ]
  return (
    <div class={panes.filter(Boolean).join(' ')}>
      <NavigationPane
        store={store}
        list={list}
        onSignOut={onSignOut}
        onKeys={() => setDialog('keys')}
        onPalette={() => setDialog('palette')}
        onClose={() => setShowsNavigation(false)}
      />
      <ConversationList
        store={store}
        name={list}
        title={title}
        chosenId={conversationId}
        addressOf={addressOfRow}
        onSearch={(search) => navigate(listAddress({ ...list, search }), { replace: true })}
        onMenu={() => setShowsNavigation(true)}
      />
      {conversationId === undefined ? (
        <div class="thread-none">
          <Empty title={t.thread.none} hint={t.thread.noneHint} />
        </div>
      ) : (
        <>
          <Thread
            key={conversationId}
            store={store}
            conversationId={conversationId}
            onBack={() => navigate(listAddress(list))}
            onClose={(lastSeenId) => closeAfterSending(store, conversationId, lastSeenId)}
            onPlan={() => setDialog('plan')}
            actions={
              <ThreadActions
                store={store}
                conversation={conversation}
                open={setDialog}
                onCustomer={() => setShowsCustomer(!showsCustomer)}
              />
            }
          />
          <CustomerPanel store={store} conversationId={conversationId} addressOf={addressOfRow} />
        </>
      )}
      {dialog === 'palette' && <Palette commands={commands} onClose={close} />}
      {dialog === 'keys' && <KeyHelp commands={commands} onClose={close} />}
      {dialog === 'notices' && <NoticesDialog onClose={close} />}
      {dialog === 'availability' && <AvailabilityDialog store={store} onClose={close} />}
      <MoreDialogs store={store} conversation={conversation} dialog={dialog} onClose={close} />
      {ChangeDialog && conversation && (
        <ChangeDialog store={store} conversation={conversation} onClose={close} />
      )}
    </div>
  )
}

interface ThreadActionsProps {
  readonly store: Store
  readonly conversation: Conversation | undefined
  readonly open: (dialog: OpenDialog) => void
  readonly onCustomer: () => void
}

function ThreadActions({ store, conversation, open, onCustomer }: ThreadActionsProps): JSX.Element {
  const isClosed = conversation?.status === 'closed'
  const canWrite = store.me.role !== 'viewer' && conversation !== undefined
  return (
    <>
      {canWrite && (
        <>
          <IconButton icon="person" label={t.actions.assign} onClick={() => open('assign')} />
          <IconButton icon="label" label={t.actions.label} onClick={() => open('labels')} />
          <IconButton icon="clock" label={t.actions.snooze} onClick={() => open('snooze')} />
          <IconButton
            icon={isClosed ? 'reopen' : 'check'}
            label={isClosed ? t.actions.reopen : t.actions.close}
            onClick={() => toggleClosed({ store, conversation })}
          />
        </>
      )}
      <IconButton class="customer-toggle" icon="menu" label={t.thread.customer} onClick={onCustomer} />
    </>
  )
}
