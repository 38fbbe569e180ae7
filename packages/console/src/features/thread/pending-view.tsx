import type { JSX } from 'preact'
import { clock } from '../../store/clock.ts'
import { readable } from '../../store/mentions.ts'
import { nameOfUser } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import type { PendingMessage } from '../../store/threads.ts'
import { t } from '../../strings/strings.ts'
import { agoOf } from '../../strings/times.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { ReasonText } from '../../ui/states.tsx'
import { Written } from './markdown.tsx'
import { faultTexts, recipientKinds } from './recipient-faults.ts'

interface PendingProps {
  readonly store: Store
  readonly conversationId: string
  readonly message: PendingMessage
  /** Takes the text back into the composer. */
  readonly onEdit: (message: PendingMessage) => void
}

/** A message that is on its way, or the reason why it was refused and the ways to go on. */
export function PendingView({ store, conversationId, message, onEdit }: PendingProps): JSX.Element {
  const { type, state } = message
  const name = nameOfUser(store.me)
  return (
    <article
      class={`message message-${type === 'note' ? 'note' : 'outbound'} message-${state === 'sending' ? 'pending' : 'refused'}`}
    >
      <Avatar name={name} />
      <header class="message-head">
        <strong dir="auto">{name}</strong>
      </header>
      <div class="message-body" dir="auto">
        <Written content={readable(message, store.users.value)} contentType={message.contentType} />
      </div>
      {state === 'sending' ? (
        <footer class="message-foot">{t.thread.sending}</footer>
      ) : (
        <Refusal store={store} conversationId={conversationId} message={message} onEdit={onEdit} />
      )}
    </article>
  )
}

function Refusal({ store, conversationId, message, onEdit }: PendingProps): JSX.Element {
  const { conflict, problem } = message
  const sendAgain = () =>
    void store.threads.sendAgain(conversationId, message, { force: conflict !== undefined })
  return (
    <div class="message-foot" role="alert">
      {conflict ? (
        <strong>
          {t.thread.conflict(
            conflict.name ?? t.thread.somebody,
            agoOf(conflict.at, Math.max(clock.value, Date.now())),
          )}
        </strong>
      ) : (
        <div>
          <strong class="message-failed">{t.thread.notSent}</strong>{' '}
          {recipientKinds.flatMap((kind) => faultTexts(problem, kind)).join(' ')}{' '}
          {problem && <ReasonText reason={problem} />}
        </div>
      )}
      <Button isSmall onClick={sendAgain}>
        {conflict ? t.thread.sendAnyway : t.common.retry}
      </Button>
      <Button
        isSmall
        onClick={() => {
          store.threads.discard(conversationId, message)
          onEdit(message)
        }}
      >
        {t.thread.edit}
      </Button>
      <Button isSmall kind="plain" onClick={() => store.threads.discard(conversationId, message)}>
        {t.thread.discard}
      </Button>
    </div>
  )
}
