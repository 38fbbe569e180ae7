import type { Conversation, Customer, CustomerDetails } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { KnownCustomer } from '../../store/conversations.ts'
import { type BlockDialog, blockDialog, isBlocked, isWhole, nameOfCustomer } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { exactTime, shortTime } from '../../strings/times.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { CustomerAddresses } from './customer-addresses.tsx'
import { CustomerMerges } from './customer-merges.tsx'
import { useDetails } from './use-details.ts'

interface CustomerPanelProps {
  readonly store: Store
  readonly conversationId: string
  readonly addressOf: (id: string) => string
  /** Of the screen that downloads and erases the data of a customer. */
  readonly privacyAddressOf: (customerId: string) => string
  readonly open: (dialog: BlockDialog | 'editCustomer' | 'unmergeCustomers' | 'mergeInto') => void
  /** Closes the pane where it covers the others. */
  readonly onClose: () => void
}

const historyShown = 10
const fieldsShown = 20

export function CustomerPanel(props: CustomerPanelProps): JSX.Element {
  const { store, conversationId, addressOf, privacyAddressOf, open } = props
  const conversation = store.conversations.rows.row(conversationId).value
  const customerId = conversation?.customerId ?? null
  const customer = customerId === null ? undefined : store.conversations.customers.row(customerId).value
  const details = useDetails(store, customer)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys scroll it only when it can have the focus
    <aside class="customer-pane" aria-label={more.customer.label} tabIndex={0}>
      <IconButton class="customer-close" icon="close" label={more.customer.close} onClick={props.onClose} />
      {customer ? <Profile customer={customer} details={details} /> : <h2>{t.customer.none}</h2>}
      {customer && isWhole(customer) && store.me.role !== 'viewer' && (
        <p class="dialog-buttons">
          <Button isSmall onClick={() => open('editCustomer')}>
            {more.customer.edit}
          </Button>
          <Button isSmall onClick={() => open(blockDialog(customer))}>
            {t.actions[blockDialog(customer)]}
          </Button>
          <a class="button button-normal button-small" href={privacyAddressOf(customer._id)}>
            {more.customer.privacy}
          </a>
        </p>
      )}
      {details && store.me.role !== 'viewer' && (
        <CustomerMerges store={store} customer={details} onUndo={() => open('unmergeCustomers')} />
      )}
      {conversation && <About store={store} conversation={conversation} />}
      {customer && store.me.role !== 'viewer' && (
        <p class="dialog-buttons">
          <Button isSmall onClick={() => open('mergeInto')}>
            {t.actions.mergeInto}
          </Button>
        </p>
      )}
      {customerId !== null && (
        <History
          store={store}
          customerId={customerId}
          conversationId={conversationId}
          addressOf={addressOf}
        />
      )}
    </aside>
  )
}

interface ProfileProps<C> {
  readonly customer: C
  readonly details: CustomerDetails | undefined
}

function Profile({ customer, details }: ProfileProps<KnownCustomer>): JSX.Element {
  const name = nameOfCustomer(customer)
  return (
    <>
      <div class="customer-head">
        <Avatar name={name} />
        <h2 dir="auto">{name}</h2>
        {isBlocked(customer) && <span class="chip">{more.customer.blocked}</span>}
      </div>
      {isWhole(customer) ? (
        <Details customer={customer} details={details} />
      ) : (
        <p>{more.customer.namesOnly}</p>
      )}
    </>
  )
}

function Details({ customer, details }: ProfileProps<Customer>): JSX.Element {
  const { profile, jobTitle, tier, tags, createdAt, customFields } = customer
  const fields = Object.entries(customFields).slice(0, fieldsShown)
  return (
    <>
      <dl class="facts">
        <Fact name={more.customer.email} value={profile.email} />
        <Fact name={more.customer.phone} value={profile.phone} />
        <Fact name={more.customer.company} value={profile.company} />
        <Fact name={more.customer.jobTitle} value={jobTitle} />
        <Fact name={more.customer.tier} value={tier} />
        <Fact name={more.customer.since} value={shortTime(createdAt)} hint={exactTime(createdAt)} />
      </dl>
      {details && <CustomerAddresses addresses={details.addresses} />}
      {tags.length > 0 && (
        <>
          <h3>{more.customer.tags}</h3>
          <Chips texts={tags} />
        </>
      )}
      {fields.length > 0 && (
        <>
          <h3>{more.customer.fields}</h3>
          <dl class="facts">
            {fields.map(([name, value]) => (
              <Fact
                key={name}
                name={name}
                value={typeof value === 'string' ? value : JSON.stringify(value)}
              />
            ))}
          </dl>
        </>
      )}
    </>
  )
}

function About({
  store,
  conversation,
}: {
  readonly store: Store
  readonly conversation: Conversation
}): JSX.Element {
  const { channel, inboxId, createdAt, labels, page } = conversation
  const inbox = store.inboxes.value.find(({ _id }) => _id === inboxId)
  return (
    <>
      <h3>{more.customer.conversation}</h3>
      <dl class="facts">
        <Fact name={more.customer.inbox} value={inbox?.name ?? null} />
        <Fact name={more.customer.channel} value={Reflect.get(t.channels, channel) ?? channel} />
        <Fact name={more.customer.created} value={shortTime(createdAt)} hint={exactTime(createdAt)} />
        <Fact name={more.customer.page} value={page} />
      </dl>
      {labels.length > 0 && (
        <>
          <h3>{t.dialogs.labels}</h3>
          <Chips texts={labels} />
        </>
      )}
    </>
  )
}

interface FactProps {
  readonly name: string
  readonly value: string | null
  readonly hint?: string
}

function Fact({ name, value, hint }: FactProps): JSX.Element | null {
  if (!value) return null
  return (
    <div>
      <dt dir="auto">{name}</dt>
      <dd dir="auto" title={hint}>
        {value}
      </dd>
    </div>
  )
}

function Chips({ texts }: { readonly texts: readonly string[] }): JSX.Element {
  return (
    <div class="chips">
      {texts.map((text) => (
        <span key={text} class="chip" dir="auto">
          {text}
        </span>
      ))}
    </div>
  )
}

interface HistoryProps extends Pick<CustomerPanelProps, 'store' | 'conversationId' | 'addressOf'> {
  readonly customerId: string
}

function History({ store, customerId, conversationId, addressOf }: HistoryProps): JSX.Element | null {
  const [others, setOthers] = useState<readonly Conversation[] | undefined>(undefined)
  useEffect(() => {
    let isOver = false
    store.crm.conversations.list({ customerId, limit: historyShown }).then(
      ({ data }) => {
        if (!isOver) setOthers(data)
      },
      () => undefined,
    )
    return () => {
      isOver = true
    }
  }, [customerId])
  if (others === undefined) return null
  const shown = others.filter(({ _id }) => _id !== conversationId)
  return (
    <>
      <h3>{more.customer.history}</h3>
      {shown.length === 0 && <p>{more.customer.noHistory}</p>}
      <ul class="history">
        {shown.map(({ _id, subject, updatedAt }) => (
          <li key={_id}>
            <a href={addressOf(_id)} dir="auto" title={exactTime(updatedAt)}>
              {subject || t.list.noSubject}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
