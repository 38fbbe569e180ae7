import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { fullName } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { t } from '../../strings/strings.ts'

interface HereProps {
  readonly store: Store
  readonly conversationId: string
}

/** The colleagues who have the conversation open. */
export function PeopleHere({ store, conversationId }: HereProps): JSX.Element {
  const { colleagues } = store.presence.at(conversationId).value
  return (
    <p class="people-here" role="status">
      {colleagues.map(({ user, state }) => {
        const name = fullName(user) || t.thread.somebody
        return (
          <span key={user._id} class={`person-${state}`} dir="auto">
            {state === 'replying' ? t.thread.replying(name) : t.thread.viewing(name)}
          </span>
        )
      })}
    </p>
  )
}

interface TypingProps extends HereProps {
  readonly customerName: string
}

export function CustomerTyping({ store, conversationId, customerName }: TypingProps): JSX.Element {
  const { typing } = store.presence.at(conversationId).value
  return (
    <p class="customer-typing" role="status">
      {typing && t.thread.typing(typing.name ?? customerName)}
    </p>
  )
}

/**
 * Reports that this person is here as long as the conversation is shown: one request for each change of the state. Nothing is
 * reported before the conversation is there, so that the first report says too how far it was read.
 */
export function useOwnPresence(
  { store, conversationId }: HereProps,
  isRead: boolean,
  isReplying: boolean,
): void {
  useEffect(() => {
    if (isRead) store.presence.report(conversationId, isReplying ? 'replying' : 'viewing')
  }, [conversationId, isRead, isReplying])
  useEffect(() => () => store.presence.report(conversationId, 'none'), [conversationId])
}
