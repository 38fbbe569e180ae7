import type { ComponentChildren, ComponentType, JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Problem } from '../../api/problem.ts'
import { type Draft, draftOf } from '../../store/draft.ts'
import type { Look } from '../../store/looks.ts'
import { nameOfCustomer } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { t } from '../../strings/strings.ts'
import { IconButton } from '../../ui/button.tsx'
import { ProblemBox } from '../../ui/states.tsx'
import { Composer } from './composer.tsx'
import type { ComposerToolsProps } from './composer-tools.tsx'
import { Gone } from './gone.tsx'
import { MessageList } from './message-list.tsx'
import { CustomerTyping, PeopleHere, useOwnPresence } from './people-here.tsx'
import { Properties, type PropertyDialog } from './properties.tsx'

interface ThreadProps {
  readonly store: Store
  readonly conversationId: string
  /** Buttons of the conversation, such as “Close”. */
  readonly actions: ComponentChildren
  /** Closes the conversation, unless somebody else has written after the message with this id. */
  readonly onClose: (lastSeenId: string | undefined) => void
  /** Above the field, for those who may write. */
  readonly drafts: ComponentChildren
  /** Opens the choice of the time for a later reply. */
  readonly onPlan: () => void
  readonly onCannedReply: () => void
  /** The formats of the text, whose code is loaded later. */
  readonly Tools: ComponentType<ComposerToolsProps>
  /** Opens the dialog that changes a property of the conversation. */
  readonly onProperty: (dialog: PropertyDialog) => void
  readonly onBack: () => void
}

/** One conversation: its messages and the field for the next one. Mount it once for each conversation. */
export function Thread(props: ThreadProps): JSX.Element {
  const { store, conversationId, actions, onBack } = props
  const { problem, unreadFrom, isRead } = useLook(store, conversationId)
  const { draft } = store.drafts.state(conversationId).value
  useEffect(() => store.drafts.show(conversationId), [conversationId])
  const [isWriting, setWriting] = useState(false)
  const isRecent = useRecentChange(draft.content)
  useOwnPresence(
    { store, conversationId },
    isRead,
    isWriting && isRecent && draft.type === 'reply' && draft.content !== '',
  )
  const conversation = store.conversations.rows.row(conversationId).value
  const customerId = conversation?.customerId
  const customer = customerId ? store.conversations.customers.row(customerId).value : undefined
  const name = customer ? nameOfCustomer(customer) : t.common.unknownPerson
  const [refusal, setRefusal] = useState<Problem | undefined>(undefined)
  const changeDraft = (changed: Partial<Draft>) => {
    setRefusal(undefined)
    store.drafts.change(conversationId, (now) => ({ ...now, ...changed }))
  }
  if (problem?.code === 'NOT_FOUND')
    return <Gone store={store} conversationId={conversationId} onBack={onBack} />
  const canWrite = store.me.role !== 'viewer'
  // Without a connection the messages that were read before stay.
  const isKnown =
    problem?.kind === 'unreachable' && store.threads.open(conversationId).value.state === 'ready'
  return (
    <section class="thread-pane" aria-label={conversation?.subject || t.list.noSubject}>
      <header class="thread-head">
        <IconButton class="thread-back" icon="back" label={t.thread.back} onClick={onBack} />
        <div class="thread-title">
          <h1 dir="auto">{conversation?.subject || t.list.noSubject}</h1>
          <p dir="auto">{name}</p>
        </div>
        <PeopleHere store={store} conversationId={conversationId} />
        <div class="thread-actions">{actions}</div>
        <div class="thread-properties">
          {conversation && <Properties store={store} conversation={conversation} open={props.onProperty} />}
        </div>
      </header>
      {problem && !isKnown ? (
        <ProblemBox
          title={t.thread.failed}
          reason={problem}
          onRetry={() => void store.looks.read(conversationId)}
        />
      ) : (
        <MessageList
          store={store}
          conversationId={conversationId}
          unreadFrom={unreadFrom}
          onEdit={(message) => {
            changeDraft(draftOf(message))
            setRefusal(message.problem)
          }}
        />
      )}
      <div class="thread-foot">
        <CustomerTyping store={store} conversationId={conversationId} customerName={name} />
        {canWrite && props.drafts}
        {canWrite ? (
          <Composer
            store={store}
            conversationId={conversationId}
            customerName={name}
            draft={draft}
            refusal={refusal}
            onDraft={changeDraft}
            onFocus={setWriting}
            onClose={props.onClose}
            onPlan={props.onPlan}
            onCannedReply={props.onCannedReply}
            Tools={props.Tools}
          />
        ) : (
          <p class="composer">{t.composer.viewer}</p>
        )}
      </div>
    </section>
  )
}

/** Milliseconds without a key after which others do not see "is replying" any more. */
const writingMs = 30_000

function useRecentChange(text: string): boolean {
  const [isRecent, setRecent] = useState(true)
  useEffect(() => {
    setRecent(true)
    const timer = setTimeout(() => setRecent(false), writingMs)
    return () => clearTimeout(timer)
  }, [text])
  return isRecent
}

/** Reads the conversation, and marks what this visible page shows as read. */
function useLook(store: Store, id: string): Look {
  // Before the effects of the parts: none of them asks for what the look brings.
  useLayoutEffect(() => {
    store.conversations.endLeftUnread(id)
    return store.looks.show(id)
  }, [id])
  const look = store.looks.at(id).value
  const { isRead } = look
  const { seq = 0, unread } = store.conversations.rows.row(id).value ?? {}
  // A note that mentions a new colleague is no unread message where nobody has written since they came.
  const { total: mentions = 0 } = store.counts.value['mentions'] ?? {}
  const hasUnread = (unread?.count ?? 0) + mentions > 0
  const readSeq = useRef(-1)
  useEffect(() => {
    if (!isRead || !hasUnread || seq <= readSeq.current || store.conversations.isLeftUnread(id, seq)) return
    const markRead = () => {
      if (document.visibilityState !== 'visible' || seq <= readSeq.current) return
      readSeq.current = seq
      store.conversations.showRead(id)
      store.presence.read(id, seq)
    }
    markRead()
    document.addEventListener('visibilitychange', markRead)
    return () => document.removeEventListener('visibilitychange', markRead)
  }, [isRead, hasUnread, unread?.count, seq])
  return look
}
