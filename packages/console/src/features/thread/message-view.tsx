import type { Message } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { problemOf } from '../../api/problem.ts'
import { nameOfUser } from '../../store/names.ts'
import { isAdmin } from '../../store/roles.ts'
import type { Store } from '../../store/store.ts'
import { t } from '../../strings/strings.ts'
import { clockTime, exactTime } from '../../strings/times.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { AttachmentView } from './attachment.tsx'
import { Body } from './body.tsx'
import { srcOf } from './mail-files.ts'

function senderName({ type, name }: Message['sender']): string {
  if (type === 'system') return t.thread.bySystem
  return type === 'api' ? t.thread.byKey(name ?? '') : (name ?? t.common.unknownPerson)
}

function kindOf({ type, direction, sender }: Message): string {
  if (type === 'note') return 'note'
  if (type === 'activity' || sender.type === 'system') return 'system'
  return direction === 'inbound' ? 'inbound' : 'outbound'
}

export function MessageView({
  store,
  message,
}: {
  readonly store: Store
  readonly message: Message
}): JSX.Element {
  const { sender, createdAt, attachments, type } = message
  const name = senderName(sender)
  const inboxId = store.conversations.rows.row(message.conversationId).value?.inboxId
  return (
    <article class={`message message-${kindOf(message)}`} data-message={message._id}>
      <Avatar name={name} />
      <header class="message-head">
        <strong dir="auto">{name}</strong>
        {type === 'note' && <span class="message-tag">{t.thread.note}</span>}
        <Sender message={message} />
        <time dateTime={createdAt} title={exactTime(createdAt)}>
          {clockTime(createdAt)}
        </time>
        <Addressees message={message} />
      </header>
      <Body message={withNames(store, message)} place={{ store, inboxId }} />
      <Choices store={store} message={message} />
      {attachments.length > 0 && (
        <div class="message-files">
          {attachments.map((file) => (
            <AttachmentView
              key={file._id}
              store={store}
              file={file}
              isInText={message.contentType === 'html' && message.content.includes(`"${srcOf(file)}"`)}
            />
          ))}
        </div>
      )}
      {message.direction === 'outbound' && <Delivery store={store} message={message} />}
    </article>
  )
}

/** The replies that a message offers to a visitor. The one that they clicked is marked. */
function Choices({
  store,
  message,
}: {
  readonly store: Store
  readonly message: Message
}): JSX.Element | null {
  // A message of an earlier process has none.
  const { _id, choices = [] } = message
  if (choices.length === 0) return null
  const chosen = store.threads.choiceOf(_id)
  return (
    <ul class="message-choices" aria-label={t.thread.choices}>
      {choices.map(({ id, label }) => (
        <li key={id} class={id === chosen ? 'chip chip-chosen' : 'chip'} dir="auto">
          {id === chosen ? t.thread.chosen(label) : label}
        </li>
      ))}
    </ul>
  )
}

/** A note names colleagues by their ids, which say nothing to people. */
function withNames({ users }: Store, message: Message): Message {
  // A message of an earlier process has none.
  const content = (message.mentions ?? []).reduce((text, id) => {
    const user = users.value.find(({ _id }) => _id === id)
    return text.replaceAll(`@[${id}]`, `@${user ? nameOfUser(user) : t.activity.former}`)
  }, message.content)
  return { ...message, content }
}

/** The address that a mail came from, and whether a believed mail server says that it is authentic. */
function Sender({ message: { direction, email } }: { readonly message: Message }): JSX.Element | null {
  if (direction !== 'inbound' || !email?.from) return null
  const { from, verified } = email
  return (
    <span class={verified === false ? 'message-failed' : 'message-tag'} dir="auto">
      {from.address}
      {verified !== true && ` · ${verified === false ? t.thread.forged : t.thread.unverified}`}
    </span>
  )
}

const addresseesShown = 3

/** The addresses that a mail went to. */
function Addressees({ message: { email } }: { readonly message: Message }): JSX.Element | null {
  const to = email?.to ?? []
  const cc = email?.cc ?? []
  if (to.length + cc.length === 0) return null
  const listed = (all: typeof to, most: number) => {
    const more = all.length > most ? ` +${all.length - most}` : ''
    return (
      all
        .slice(0, most)
        .map(({ address }) => address)
        .join(', ') + more
    )
  }
  const line = (most: number) =>
    [
      ...(to.length > 0 ? [t.recipients.to(listed(to, most))] : []),
      ...(cc.length > 0 ? [`${t.recipients.fields.cc} ${listed(cc, most)}`] : []),
    ].join(' · ')
  return (
    <span class="message-to" dir="auto" title={line(to.length + cc.length)}>
      {line(addresseesShown)}
    </span>
  )
}

/** How far a reply has come, for each recipient where it is a mail. */
function Delivery({ store, message }: { readonly store: Store; readonly message: Message }): JSX.Element {
  const { recipients, via } = message
  const status = message.status === 'sent' && via === 'none' ? 'stored' : message.status
  const failed = recipients.filter((recipient) => ['failed', 'suppressed'].includes(recipient.status))
  const canRepeat = status === 'failed' && recipients.length > 0
  const sendAgain = async () => {
    try {
      store.threads.take(await store.crm.messages.sendAgain(message._id))
    } catch (error) {
      showToast(t.thread.notSent, { reason: problemOf(error) })
    }
  }
  return (
    <footer class="message-foot">
      <span class={status === 'failed' ? 'message-failed' : ''}>
        {Reflect.get(t.thread.status, status) ?? status}
      </span>
      {status === 'stored' && isAdmin(store) && <span>{t.thread.connect}</span>}
      {failed.map(({ address, text, bouncedAt }) => (
        <span key={address} class="message-failed">
          {bouncedAt && `${t.thread.bounced}: `}
          {address}
          {text && `: ${text}`}
        </span>
      ))}
      {canRepeat && (
        <Button isSmall onClick={() => void sendAgain()}>
          {t.thread.sendAgain}
        </Button>
      )}
    </footer>
  )
}
