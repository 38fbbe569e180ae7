import type { Conversation, Customer, CustomerDetails, CustomerMerge } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Problem, problemOf } from '../../api/problem.ts'
import { isWhole, nameOfCustomer } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { exactTime, shortTime } from '../../strings/times.ts'
import { wordOf } from '../../strings/word-of.ts'
import { wordsOf } from '../../strings/words-of.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { ProblemBox, SkeletonRows } from '../../ui/states.tsx'
import { CustomerData } from './customer-data.tsx'
import { CustomerNotes } from './customer-notes.tsx'
import { styles } from './customers-styles.ts'
import { EditableProperties } from './editable-properties.tsx'

interface CustomerViewProps {
  readonly store: Store
  readonly customerId: string
  /** A part of the address: the tab that is shown first. */
  readonly tab: string | undefined
  readonly addressOfConversation: (id: string) => string
  readonly eraseDialog: (customer: Customer, onClose: () => void) => JSX.Element
}

const tabs = ['conversations', 'notes', 'activity', 'data'] as const

/** One customer: the properties, and beside them conversations, notes, what happened and what is stored. */
export function CustomerView(props: CustomerViewProps): JSX.Element {
  const { store, customerId } = props
  const [tab, setTab] = useState(tabs.find((one) => one === props.tab) ?? 'conversations')
  const [isErasing, setErasing] = useState(false)
  const { value: read, problem, retry } = useRead(() => store.crm.customers.get(customerId), customerId)
  const customer = read && withChanges(store, read)
  if (problem)
    return (
      <div style={styles.body}>
        <ProblemBox title={more.customers.failed} reason={problem} onRetry={retry} />
      </div>
    )
  if (customer === undefined) return <SkeletonRows count={5} rowHeight={60} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys scroll it only when it can have the focus
    <div style={styles.body} tabIndex={0}>
      <div class="customer-head">
        <Avatar name={nameOfCustomer(customer)} />
        <h2 dir="auto">{nameOfCustomer(customer)}</h2>
        {customer.blockedAt && <span class="chip">{more.customer.blocked}</span>}
      </div>
      <div style={styles.columns}>
        <div style={styles.facts}>
          {store.me.role !== 'viewer' && <EditableProperties store={store} customer={customer} />}
          <Properties customer={customer} isViewer={store.me.role === 'viewer'} />
        </div>
        <div style={styles.tabs}>
          <p class="dialog-buttons">
            {tabs.map((name) => (
              <Button
                key={name}
                isSmall
                kind={name === tab ? 'primary' : 'normal'}
                onClick={() => setTab(name)}
              >
                {more.customers.tabs[name]}
              </Button>
            ))}
          </p>
          <section aria-label={more.customers.tabs[tab]}>
            {tab === 'conversations' && <Conversations {...props} />}
            {tab === 'notes' && <CustomerNotes store={store} customerId={customerId} />}
            {tab === 'data' && (
              <CustomerData store={store} customer={customer} onErase={() => setErasing(true)} />
            )}
            {tab === 'activity' && <Activity store={store} customer={customer} />}
          </section>
        </div>
      </div>
      {isErasing && props.eraseDialog(customer, () => setErasing(false))}
    </div>
  )
}

/** Returns the customer with what events have changed since it was read. */
function withChanges(store: Store, read: CustomerDetails): CustomerDetails {
  const live = store.conversations.customers.row(read._id).value
  return live && isWhole(live) && live.updatedAt > read.updatedAt ? { ...read, ...live } : read
}

interface PropertiesProps {
  readonly customer: CustomerDetails
  /** Everybody else has fields for the others. */
  readonly isViewer: boolean
}

/** The properties that nobody changes here. */
function Properties({ customer, isViewer }: PropertiesProps): JSX.Element {
  const { profile, jobTitle, tier, status, tags, addresses } = customer
  const further = addresses
    .filter(({ address, source }) => source !== 'profile' && address !== profile.email)
    .map(({ address }) => address)
  const ofFields = [
    [more.customer.email, profile.email],
    [more.customer.phone, profile.phone],
    [more.customer.company, profile.company],
    [more.customer.jobTitle, jobTitle],
    [more.customer.tier, tier],
    [more.customer.tags, tags.join(', ')],
  ] as const
  const facts = [
    ...(isViewer ? ofFields : []),
    [more.customers.further, further.join(', ')],
    [more.customers.state, wordOf(more.customers.states, status)],
  ] as const
  return (
    <dl class="facts">
      {facts.map(([name, value]) =>
        value ? (
          <div key={name}>
            <dt dir="auto">{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ) : null,
      )}
    </dl>
  )
}

function Conversations({ store, customerId, addressOfConversation }: CustomerViewProps): JSX.Element {
  const { value: rows, problem } = useRead<readonly Conversation[]>(
    async () => (await store.crm.conversations.list({ customerId, limit: 50 })).data,
    customerId,
  )
  if (problem) return <ProblemBox title={more.customers.failed} reason={problem} />
  if (rows === undefined) return <SkeletonRows count={3} rowHeight={48} />
  if (rows.length === 0) return <p>{more.customers.noConversations}</p>
  return (
    <>
      {rows.map(({ _id, subject, status, lastMessage, updatedAt }) => (
        <div key={_id} style={styles.note}>
          <a href={addressOfConversation(_id)} dir="auto">
            {subject || t.list.noSubject}
          </a>{' '}
          <span class="chip">{t.views[status as 'open']}</span>{' '}
          <time style={styles.soft} dateTime={updatedAt} title={exactTime(updatedAt)}>
            {shortTime(updatedAt)}
          </time>
          {lastMessage && (
            <div style={styles.soft} dir="auto">
              {wordsOf(lastMessage.preview, lastMessage.files)}
            </div>
          )}
        </div>
      ))}
    </>
  )
}

/** The known past of a customer, the latest first. */
function Activity({
  store,
  customer,
}: {
  readonly store: Store
  readonly customer: CustomerDetails
}): JSX.Element {
  const { _id, createdAt, lastContactAt, blockedAt, hasMerges, addresses } = customer
  const { value: merges = [] } = useRead<readonly CustomerMerge[]>(
    async () => (hasMerges ? store.crm.customers.merges(_id) : []),
    _id,
  )
  const words = more.customers.happened
  const ended = addresses.flatMap(({ address, until }) =>
    until ? [[until, words.formerAddress(address)] as const] : [],
  )
  const all = [
    [createdAt, words.created] as const,
    ...(lastContactAt ? [[lastContactAt, words.wrote] as const] : []),
    ...(blockedAt ? [[blockedAt, words.blocked] as const] : []),
    ...merges.map(({ mergedAt, sourceName }) => [mergedAt, words.merged(sourceName)] as const),
    ...ended,
  ].sort(([one], [other]) => other.localeCompare(one))
  return (
    <ul class="history">
      {all.map(([at, text]) => (
        <li key={at + text}>
          <time style={styles.soft} dateTime={at} title={exactTime(at)}>
            {shortTime(at)}
          </time>{' '}
          <span dir="auto">{text}</span>
        </li>
      ))}
    </ul>
  )
}

/** Reads once for each key. */
function useRead<T>(read: () => PromiseLike<T>, key: string) {
  const [found, setFound] = useState<{ key: string; value?: T; problem?: Problem }>({ key })
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let isOver = false
    read().then(
      (value) => !isOver && setFound({ key, value }),
      (error) => !isOver && setFound({ key, problem: problemOf(error) }),
    )
    return () => {
      isOver = true
    }
  }, [key, tries])
  const { value, problem } = found.key === key ? found : {}
  return { value, problem, retry: () => setTries(tries + 1) }
}
