import type { Conversation } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { ConversationList } from '../features/inbox/conversation-list.tsx'
import { replaceSaved } from '../features/inbox/replace-saved.ts'
import { useKeys } from '../features/palette/use-keys.ts'
import '../features/palette/palette.css'
import '../features/thread/thread.css'
import '../features/thread/composer.css'
import type { Store } from '../store/store.ts'
import { type ListName, withSaved } from '../store/views.ts'
import { t } from '../strings/strings.ts'
import { IconButton } from '../ui/button.tsx'
import { lazy } from '../ui/lazy.tsx'
import { navigate, route } from '../ui/navigation.ts'
import { pageName } from '../ui/page-name.ts'
import { Sheet } from '../ui/sheet.tsx'
import { Empty } from '../ui/states.tsx'
import { besideAddress, conversationAddress, customersAddress, listAddress, placeOf } from './addresses.ts'
import { closeOrReopen, closeSent } from './after-closing.ts'
import { commandsOf, type OpenDialog } from './commands.ts'
import '../features/customer/customer.css'
import { MoreDialogs, preloadDialogs } from './more-dialogs.tsx'
import { NavigationPane } from './navigation-pane.tsx'

interface InboxScreenProps {
  readonly store: Store
  readonly onSignOut: () => void
}

/** Its place is taken while its code is loaded, so that nothing moves. */
const CustomerPanel = lazy(
  'customer',
  () => import('../features/customer/customer-panel.tsx').then((panel) => panel.CustomerPanel),
  <aside class="customer-pane" />,
)
/** Its own header and field take its place, so nothing is shown while its code is loaded. */
const Thread = lazy(
  'thread',
  () => import('../features/thread/thread.tsx').then((thread) => thread.Thread),
  <section class="thread-pane" />,
)

/** Called at the start, beside the first requests: the address may name a conversation, and the first press opens one. */
export const preloadThread: () => void = Thread.preload

const OtherPane = lazy('dialogs', () =>
  import('./dialog-contents.tsx').then((contents) => contents.OtherPane),
)
const BulkBar = lazy(
  'dialogs',
  () => import('./dialog-contents.tsx').then((contents) => contents.BulkBar),
  null,
)
/** Loaded before the first reply is sent, as the dialogs are. Mostly it shows nothing, so nobody has asked for it yet. */
const OtherDrafts = lazy(
  'dialogs',
  () => import('./dialog-contents.tsx').then((contents) => contents.OtherDrafts),
  null,
)
/** A file of its own: dialogs that are away after an update take no place in the field. */
const ComposerTools = lazy(
  'composer-tools',
  () => import('../features/thread/composer-tools.tsx').then((tools) => tools.ComposerTools),
  <div class="composer-tools" />,
)

/** The panes that a narrow screen shows over the others. */
function usePanes(conversationId: string | undefined) {
  const [showsNavigation, setShowsNavigation] = useState(false)
  const [showsCustomer, setShowsCustomer] = useState(false)
  useEffect(() => setShowsNavigation(false), [route.value])
  useEffect(() => setShowsCustomer(false), [conversationId])
  const closePanes = useCallback(() => {
    setShowsNavigation(false)
    setShowsCustomer(false)
  }, [])
  return { showsNavigation, setShowsNavigation, showsCustomer, setShowsCustomer, closePanes }
}

/** Loads what a later press shows. */
function usePreloaded(): void {
  useEffect(preloadDialogs, [])
  useEffect(CustomerPanel.preload, [])
}

/** Screens that have the place of the thread too. */
const wholeWidth: readonly string[] = ['setup', 'customers', 'analytics', 'settings', 'mailboxes', 'mail']

/** The place of the address, with its saved view. */
function usePlace(store: Store) {
  const place = placeOf(route.value)
  return { ...place, list: withSaved(place.list, store.savedViews.value) }
}

/** Puts the list in the place of its saved view, and shows that one whole. */
function showReplaced(replaced: Parameters<typeof replaceSaved>[0]): void {
  const whole = { ...replaced.list, search: undefined, filter: undefined }
  void replaceSaved(replaced, () => navigate(listAddress(whole), { replace: true }))
}

/** Views, list, thread and customer beside each other; on a narrow screen one at a time. */
export function InboxScreen({ store, onSignOut }: InboxScreenProps): JSX.Element {
  const place = usePlace(store)
  const { list, conversationId, other } = place
  const { dialog, setDialog, close } = useDialog(conversationId)
  const panes = usePanes(conversationId)
  const commands = commandsOf({ store, place, open: setDialog, signOut: onSignOut })
  useKeys(commands)
  usePreloaded()
  const addressOfRow = (id: string) => (other ? besideAddress(other, id) : conversationAddress(list, id))
  const conversation = useOpenConversation(store, conversationId, addressOfRow)
  return (
    <div
      class={panesClass({
        thread: conversationId,
        nav: panes.showsNavigation,
        customer: panes.showsCustomer,
      })}
    >
      <NavigationPane
        store={store}
        list={list}
        other={other}
        onSignOut={onSignOut}
        open={setDialog}
        onClose={() => panes.setShowsNavigation(false)}
      />
      {other ? (
        <OtherPane
          store={store}
          other={other}
          chosenId={conversationId}
          addressOf={addressOfRow}
          onMenu={() => panes.setShowsNavigation(true)}
        />
      ) : (
        <ConversationList
          store={store}
          name={list}
          title={titleOf(store, list)}
          chosenId={conversationId}
          addressOf={addressOfRow}
          onSearch={(search) => navigate(listAddress({ ...list, search }), { replace: true })}
          onFilter={() => setDialog('filter')}
          onSaveView={() => setDialog('saveView')}
          onUpdateView={(saved) => showReplaced({ store, list, saved })}
          onEditView={() => setDialog('editView')}
          onShowAll={() => navigate(listAddress({ ...list, filter: undefined }), { replace: true })}
          onMenu={() => panes.setShowsNavigation(true)}
          bar={<BulkBar store={store} list={list} open={setDialog} />}
        />
      )}
      {other && wholeWidth.includes(other) ? null : conversationId === undefined ? (
        <div class="thread-none">
          <Empty title={t.thread.none} hint={t.thread.noneHint} />
        </div>
      ) : (
        <OpenConversation
          store={store}
          conversationId={conversationId}
          conversation={conversation}
          addressOf={addressOfRow}
          backAddress={other ? besideAddress(other) : listAddress(list)}
          open={setDialog}
          panes={panes}
        />
      )}
      {(panes.showsNavigation || panes.showsCustomer) && <Sheet onClose={panes.closePanes} />}
      <MoreDialogs
        store={store}
        place={place}
        commands={commands}
        conversation={conversation}
        dialog={dialog}
        onClose={close}
      />
    </div>
  )
}

interface OpenConversationProps {
  readonly store: Store
  readonly conversationId: string
  readonly conversation: Conversation | undefined
  readonly addressOf: (id: string) => string
  readonly backAddress: string
  readonly open: (dialog: OpenDialog) => void
  readonly panes: ReturnType<typeof usePanes>
}

function OpenConversation(props: OpenConversationProps): JSX.Element {
  const { store, conversationId, open, panes } = props
  const onPlan = () => open('plan')
  return (
    <>
      <Thread
        key={conversationId}
        store={store}
        conversationId={conversationId}
        onBack={() => navigate(props.backAddress)}
        onClose={(lastSeenId) => closeSent(store, conversationId, lastSeenId)}
        onPlan={onPlan}
        onCannedReply={() => open('cannedReply')}
        onProperty={open}
        Tools={ComposerTools}
        drafts={<OtherDrafts store={store} conversationId={conversationId} onPlan={onPlan} />}
        actions={
          <ThreadActions
            store={store}
            conversation={props.conversation}
            open={open}
            onCustomer={() => panes.setShowsCustomer(!panes.showsCustomer)}
          />
        }
      />
      <CustomerPanel
        store={store}
        conversationId={conversationId}
        addressOf={props.addressOf}
        privacyAddressOf={(id) => customersAddress(id, 'data')}
        open={open}
        onClose={panes.closePanes}
      />
    </>
  )
}

/**
 * A screen reader and the list of the browser's tabs say which conversation is open. The address of one that was merged opens the
 * one that shows its messages.
 */
function useOpenConversation(
  store: Store,
  id: string | undefined,
  addressOf: (id: string) => string,
): Conversation | undefined {
  const conversation = id ? store.conversations.rows.row(id).value : undefined
  const name = conversation ? conversation.subject || t.list.noSubject : ''
  const target = conversation?.mergedInto ?? undefined
  useEffect(() => {
    pageName.value = name
  }, [name])
  useEffect(() => {
    if (target !== undefined) navigate(addressOf(target), { replace: true })
  }, [target])
  return conversation
}

function panesClass(shown: Readonly<Record<string, unknown>>): string {
  return Object.keys(shown).reduce((all, pane) => (shown[pane] ? `${all} panes-${pane}` : all), 'panes')
}

function titleOf({ inboxes }: Store, { inboxId, view, savedId, saved }: ListName): string {
  if (savedId !== undefined) return saved?.name ?? t.list.savedView
  return inboxes.value.find(({ _id }) => _id === inboxId)?.name ?? t.views[view]
}

/** Dialogs that are about no conversation stay open when another one is shown. */
const placeless: readonly OpenDialog[] = [
  'newConversation',
  'availability',
  'notices',
  'team',
  'keys',
  'search',
]

/** The open dialog. One about a conversation ends with it: its next key would change whatever is shown by then. */
function useDialog(conversationId: string | undefined) {
  const [open, setOpen] = useState<{ dialog: OpenDialog; conversationId: string | undefined } | undefined>()
  const isElsewhere =
    open !== undefined && open.conversationId !== conversationId && !placeless.includes(open.dialog)
  useEffect(() => {
    if (isElsewhere) setOpen(undefined)
  }, [isElsewhere])
  return {
    dialog: isElsewhere ? undefined : open?.dialog,
    setDialog: (dialog: OpenDialog) => setOpen({ dialog, conversationId }),
    close: () => setOpen(undefined),
  }
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
          <IconButton
            class="wide-only"
            icon="person"
            label={t.actions.assign}
            shortcut="a"
            onClick={() => open('assign')}
          />
          <IconButton
            class="wide-only"
            icon="label"
            label={t.actions.label}
            shortcut="l"
            onClick={() => open('labels')}
          />
          <IconButton
            class="wide-only"
            icon="clock"
            label={t.actions.snooze}
            shortcut="s"
            onClick={() => open('snooze')}
          />
          <IconButton
            icon={isClosed ? 'reopen' : 'check'}
            label={isClosed ? t.actions.reopen : t.actions.close}
            shortcut="e"
            onClick={() => closeOrReopen(store, conversation._id)}
          />
        </>
      )}
      <IconButton icon="more" label={t.actions.palette} shortcut="⌘K" onClick={() => open('palette')} />
      <IconButton class="customer-toggle" icon="menu" label={t.thread.customer} onClick={onCustomer} />
    </>
  )
}
