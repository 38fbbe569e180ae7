import type { ViewCount } from '@crmkit/sdk'
import type { JSX } from 'preact'
import type { Store } from '../store/store.ts'
import { type ListName, type ViewName, viewNames } from '../store/views.ts'
import { t } from '../strings/strings.ts'
import { IconButton } from '../ui/button.tsx'
import { lazy } from '../ui/lazy.tsx'
import { type InboxPlace, listAddress } from './addresses.ts'
import type { OpenDialog } from './commands.ts'

interface NavigationProps {
  readonly store: Store
  readonly list: ListName
  readonly other: InboxPlace['other']
  readonly onSignOut: () => void
  readonly open: (dialog: OpenDialog) => void
  readonly onClose: () => void
}

/** With the dialogs, which are loaded at the same time. */
const OtherLinks = lazy(
  'dialogs',
  () => import('./dialog-contents.tsx').then((contents) => contents.OtherLinks),
  null,
)

const Profile = lazy(
  'dialogs',
  () => import('./dialog-contents.tsx').then((contents) => contents.Profile),
  null,
)

/** The views, the inboxes and the other screens. */
export function NavigationPane(props: NavigationProps): JSX.Element {
  const { store, list, other, onSignOut, open, onClose } = props
  const inboxes = store.inboxes.value.filter(({ isActive }) => isActive)
  const views = store.savedViews.value ?? []
  return (
    <nav class="nav" aria-label={t.nav.label}>
      <div class="nav-head">
        <span dir="auto">{store.tenantName.value}</span>
        {store.me.role !== 'viewer' && (
          <IconButton
            icon="plus"
            label={t.actions.newConversation}
            shortcut="c"
            onClick={() => open('newConversation')}
          />
        )}
        <IconButton class="nav-close" icon="close" label={t.nav.closeMenu} onClick={onClose} />
      </div>
      {viewNames.map((view) => (
        <NavigationLink
          key={view}
          address={listAddress({ view })}
          text={t.views[view]}
          isCurrent={!other && isOf(list, view)}
          count={store.counts.value[view]}
        />
      ))}
      <OtherLinks store={store} other={other} />
      {views.length > 0 && <h2>{t.nav.savedViews}</h2>}
      {views.map(({ _id, name }) => (
        <NavigationLink
          key={_id}
          address={listAddress({ view: 'open', savedId: _id })}
          text={name}
          isCurrent={list.savedId === _id}
          count={undefined}
        />
      ))}
      {inboxes.length > 1 && <h2>{t.nav.inboxes}</h2>}
      {inboxes.length > 1 &&
        inboxes.map(({ _id, name }) => (
          <NavigationLink
            key={_id}
            address={listAddress({ view: 'open', inboxId: _id })}
            text={name}
            isCurrent={list.inboxId === _id}
            count={store.counts.value[_id]}
          />
        ))}
      <div class="nav-foot">
        <Profile store={store} onOpen={() => open('availability')} />
        <div class="nav-buttons">
          <IconButton icon="search" label={t.actions.search} shortcut="/" onClick={() => open('search')} />
          <IconButton icon="menu" label={t.nav.palette} shortcut="⌘K" onClick={() => open('palette')} />
          <IconButton icon="keyboard" label={t.nav.keys} shortcut="?" onClick={() => open('keys')} />
          <IconButton icon="signOut" label={t.nav.signOut} onClick={onSignOut} />
        </div>
      </div>
    </nav>
  )
}

/** Whether a list is a view of everybody, without a search. */
function isOf({ view, savedId, inboxId, search }: ListName, name: ViewName): boolean {
  return view === name && savedId === undefined && inboxId === undefined && !search
}

interface NavigationLinkProps {
  readonly address: string
  readonly text: string
  readonly isCurrent: boolean
  readonly count: ViewCount | undefined
}

function NavigationLink({ address, text, isCurrent, count }: NavigationLinkProps): JSX.Element {
  return (
    <a class="nav-link" href={address} aria-current={isCurrent ? 'page' : undefined} dir="auto">
      <span dir="auto">{text}</span>
      {count !== undefined && count.total > 0 && (
        <span class={`nav-count ${count.unread ? 'nav-count-unread' : ''}`}>
          <span aria-hidden="true">{t.common.count(count.total, count.isEstimate)}</span>
          <span class="hidden-text">{t.nav.count(count.total, count.unread ?? 0)}</span>
        </span>
      )}
    </a>
  )
}
