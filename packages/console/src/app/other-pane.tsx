import type { JSX } from 'preact'
import { EraseCustomerContent } from '../features/customer/erase-customer.tsx'
import { UnsentPane } from '../features/inbox/unsent-list.tsx'
import { MailPane } from '../features/mail/mail-pane.tsx'
import { switchNotice } from '../features/notices/notice-settings.ts'
import { SetupPane } from '../features/setup/setup-pane.tsx'
import type { Store } from '../store/store.ts'
import { t } from '../strings/strings.ts'
import { Dialog } from '../ui/dialog.tsx'
import { lazy } from '../ui/lazy.tsx'
import { navigate, route } from '../ui/navigation.ts'
import {
  conversationAddress,
  customersAddress,
  type InboxPlace,
  listAddress,
  settingsAddress,
} from './addresses.ts'
import { BrowserSettings } from './browser-settings.tsx'

const CustomersPane = lazy('customers', () =>
  import('../features/customers/customers-pane.tsx').then((pane) => pane.CustomersPane),
)

const MailboxesPane = lazy('mailboxes', () =>
  import('../features/mailboxes/mailboxes-pane.tsx').then((pane) => pane.MailboxesPane),
)

const AnalyticsPane = lazy('analytics', () =>
  import('../features/analytics/analytics-pane.tsx').then((pane) => pane.AnalyticsPane),
)

const SettingsPane = lazy('settings', () =>
  import('../features/settings/settings-pane.tsx').then((pane) => pane.SettingsPane),
)

const MentionsPane = lazy('mentions', () =>
  import('../features/inbox/mentions-pane.tsx').then((pane) => pane.MentionsPane),
)

interface OtherPaneProps {
  readonly store: Store
  readonly other: InboxPlace['other']
  readonly chosenId: string | undefined
  readonly addressOf: (conversationId: string) => string
  readonly onMenu: () => void
}

/** The pane in the place of a list of conversations. */
export function OtherPane({ other, ...props }: OtherPaneProps): JSX.Element {
  const { store, onMenu } = props
  if (other === 'setup')
    return (
      <SetupPane
        store={store}
        waitingAddress={listAddress({ view: 'unassigned' })}
        switchNoticesOn={() => switchNotice('desktop', true)}
        onHidden={() => navigate(listAddress({ view: 'open' }))}
        onSamplesAdded={() => {
          void store.lists.refresh({ view: 'open' })
          navigate(listAddress({ view: 'open' }))
        }}
        onMenu={onMenu}
      />
    )
  if (other === 'customers')
    return (
      <CustomersPane
        store={store}
        customerId={route.value[1]}
        tab={route.value[2]}
        addressOfCustomer={customersAddress}
        addressOfConversation={(id) => conversationAddress({ view: 'open' }, id)}
        eraseDialog={(customer, onClose) => (
          <Dialog title={t.actions.eraseCustomer} onClose={onClose}>
            <EraseCustomerContent
              store={store}
              customer={customer}
              onClose={onClose}
              onErased={() => navigate(customersAddress())}
            />
          </Dialog>
        )}
        onMenu={onMenu}
      />
    )
  if (other === 'settings')
    return (
      <SettingsPane
        store={store}
        section={route.value[1]}
        item={route.value[2]}
        ofBrowser={<BrowserSettings />}
        addressOfSection={settingsAddress}
        addressOfLabel={(label) =>
          // Every moment at which a conversation may have begun: such a list has all states.
          listAddress({ view: 'open', filter: { label, createdSince: new Date(0).toISOString() } })
        }
        onMenu={onMenu}
      />
    )
  if (other === 'analytics')
    return <AnalyticsPane store={store} addressOfList={listAddress} onMenu={onMenu} />
  if (other === 'mentions') return <MentionsPane {...props} />
  if (other === 'mailboxes') return <MailboxesPane store={store} onMenu={onMenu} />
  return other === 'mail' ? (
    <MailPane {...props} onMade={(id) => navigate(conversationAddress({ view: 'open' }, id))} />
  ) : (
    <UnsentPane {...props} />
  )
}
