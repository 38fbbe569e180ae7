import type { JSX } from 'preact'
import { isAdmin } from '../store/roles.ts'
import { isOpen, setupOf } from '../store/setup.ts'
import type { Store } from '../store/store.ts'
import { unsentCount } from '../store/unsent-count.ts'
import { more } from '../strings/more.ts'
import { t } from '../strings/strings.ts'
import {
  analyticsAddress,
  customersAddress,
  type InboxPlace,
  mailAddress,
  mailboxesAddress,
  mentionsAddress,
  settingsAddress,
  setupAddress,
  unsentAddress,
} from './addresses.ts'

interface OtherLinksProps {
  readonly store: Store
  readonly other: InboxPlace['other']
}

/** Lead to the replies that were not sent, and to the mails that need a person: there is no link where there is none. */
export function OtherLinks({ store, other }: OtherLinksProps): JSX.Element {
  return (
    <>
      <a class="nav-link" href={mentionsAddress()} aria-current={other === 'mentions' ? 'page' : undefined}>
        {t.nav.mentions}
        <Count count={store.counts.value['mentions']?.total ?? 0} />
      </a>
      <a class="nav-link" href={customersAddress()} aria-current={other === 'customers' ? 'page' : undefined}>
        {more.customers.title}
      </a>
      {isAdmin(store) && (
        <a
          class="nav-link"
          href={mailboxesAddress()}
          aria-current={other === 'mailboxes' ? 'page' : undefined}
        >
          {more.mailboxes.title}
        </a>
      )}
      <a class="nav-link" href={analyticsAddress()} aria-current={other === 'analytics' ? 'page' : undefined}>
        {more.analytics.title}
      </a>
      <a class="nav-link" href={settingsAddress()} aria-current={other === 'settings' ? 'page' : undefined}>
        {more.settings.title}
      </a>
      {isAdmin(store) && <SetupLink store={store} isCurrent={other === 'setup'} />}
      <OtherLink
        address={unsentAddress()}
        text={t.nav.unsent}
        count={unsentCount(store)}
        isCurrent={other === 'unsent'}
      />
      <OtherLink
        address={mailAddress()}
        text={more.mail.title}
        count={store.counts.value['mailNeedsYou']?.total ?? 0}
        isCurrent={other === 'mail'}
      />
    </>
  )
}

/** Of the check-list of a new team, until it is done or hidden. */
function SetupLink({
  store,
  isCurrent,
}: {
  readonly store: Store
  readonly isCurrent: boolean
}): JSX.Element | null {
  const list = setupOf(store).list.value
  if (!isCurrent && !isOpen(list)) return null
  const steps = list?.steps ?? []
  const done = steps.filter((step) => step.done).length
  return (
    <a class="nav-link" href={setupAddress()} aria-current={isCurrent ? 'page' : undefined}>
      {more.setup.title} {list && <span class="nav-count">{more.setup.link(done, steps.length)}</span>}
    </a>
  )
}

function Count({ count }: { readonly count: number }): JSX.Element | null {
  return count === 0 ? null : <span class="nav-count nav-count-unread">{count}</span>
}

interface OtherLinkProps {
  readonly address: string
  readonly text: string
  readonly count: number
  readonly isCurrent: boolean
}

function OtherLink({ address, text, count, isCurrent }: OtherLinkProps): JSX.Element | null {
  if (!count && !isCurrent) return null
  return (
    <a class="nav-link" href={address} aria-current={isCurrent ? 'page' : undefined}>
      {text}
      <Count count={count} />
    </a>
  )
}
