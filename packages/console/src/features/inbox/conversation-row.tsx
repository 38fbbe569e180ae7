import type { Conversation } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { clock } from '../../store/clock.ts'
import { nameOfCustomer, nameOfUser } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { t } from '../../strings/strings.ts'
import { exactTime, lengthOf, shortTime } from '../../strings/times.ts'
import { wordsOf } from '../../strings/words-of.ts'
import { Avatar } from '../../ui/avatar.tsx'

interface RowProps {
  readonly store: Store
  readonly id: string
  readonly isChosen: boolean
  readonly address: string
  readonly tabIndex: 0 | -1
}

const labelsShown = 2

export function ConversationRow({ store, id, isChosen, address, tabIndex }: RowProps): JSX.Element | null {
  const conversation = store.conversations.rows.row(id).value
  const isUnreadUnknown = conversation?.unread === null
  useEffect(() => {
    if (isUnreadUnknown) store.conversations.wantUnread(id)
  }, [id, isUnreadUnknown])
  if (conversation === undefined) return null
  const { subject, unread, createdAt, lastMessage } = conversation
  const at = lastMessage?.at ?? createdAt
  const count = unread?.count ?? 0
  const words = lastMessage && wordsOf(lastMessage.preview, lastMessage.files)
  return (
    <a
      href={address}
      data-id={id}
      tabIndex={tabIndex}
      class={`row ${count > 0 ? 'row-unread' : ''}`}
      aria-current={isChosen ? 'true' : undefined}
    >
      <span class="row-dot" />
      <span class="row-name" dir="auto">
        <CustomerName store={store} id={conversation.customerId} />
        {count > 0 && <span class="hidden-text">, {t.list.unread(count)}</span>}
      </span>
      <time class="row-time" dateTime={at} title={exactTime(at)}>
        {shortTime(at)}
      </time>
      <span class="row-subject" dir="auto">
        {subject || t.list.noSubject}
        {words && (
          <span class="row-preview">
            {lastMessage?.direction === 'outbound' ? ' ↩ ' : ' – '}
            {words}
          </span>
        )}
      </span>
      <RowFacts store={store} conversation={conversation} />
    </a>
  )
}

interface ChooseRowProps {
  readonly store: Store
  /** The list, for a range. */
  readonly ids: readonly string[]
  readonly id: string
}

/** Chooses a conversation for a change of many. The key of the command does the same, so it is no stop of the Tab key. */
export function ChooseRow({ store, ids, id }: ChooseRowProps): JSX.Element {
  const { selection, conversations } = store
  return (
    <input
      class="row-choose"
      type="checkbox"
      tabIndex={-1}
      aria-label={t.list.choose(conversations.rows.row(id).value?.subject || t.list.noSubject)}
      checked={selection.ids.value.has(id)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => {
        if (event.shiftKey) {
          selection.extend(ids, id)
          event.currentTarget.checked = true
        } else selection.toggle(id)
      }}
    />
  )
}

function CustomerName({ store, id }: { readonly store: Store; readonly id: string | null }): JSX.Element {
  const customer = id === null ? undefined : store.conversations.customers.row(id).value
  useEffect(() => {
    if (id !== null) store.conversations.wantCustomer(id)
  }, [id])
  if (id === null) return <>{t.customer.none}</>
  return <>{customer && nameOfCustomer(customer)}</>
}

function RowFacts({
  store,
  conversation,
}: {
  readonly store: Store
  readonly conversation: Conversation
}): JSX.Element {
  const { channel, assignedTo, labels, priority, waitingSince: waiting } = conversation
  const assignee = store.users.value.find(({ _id }) => _id === assignedTo)
  return (
    <span class="row-meta">
      {assignee && (
        <span title={nameOfUser(assignee)}>
          <Avatar name={nameOfUser(assignee)} isSmall availability={assignee.availability} />
          <span class="hidden-text">{nameOfUser(assignee)}</span>
        </span>
      )}
      {store.threads.unsent.value.has(conversation._id) && <span class="row-urgent">{t.nav.unsent}</span>}
      <span>{Reflect.get(t.channels, channel) ?? channel}</span>
      {priority === 'urgent' && <span class="row-urgent">{t.list.filters.urgent}</span>}
      {waiting && (
        <span class="row-waiting" title={exactTime(waiting)}>
          {t.list.waiting(lengthOf(clock.value - Date.parse(waiting)))}
        </span>
      )}
      {labels.slice(0, labelsShown).map((label) => (
        <span key={label} class="chip" dir="auto">
          {label}
        </span>
      ))}
      {labels.length > labelsShown && <span>+{labels.length - labelsShown}</span>}
    </span>
  )
}
