import type { Conversation } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Problem, problemOf } from '../../api/problem.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { momentTime } from '../../strings/times.ts'
import { wordsOf } from '../../strings/words-of.ts'
import { Button } from '../../ui/button.tsx'
import { Chooser } from '../../ui/chooser.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { showToast } from '../../ui/toasts.tsx'
import type { ChangeProps } from './change-contents.tsx'
import { change } from './change-conversation.ts'

/** The most conversations of the customer that are offered. */
const offeredMax = 100

/** Chooses another conversation of the same customer and merges this one into it: the inside of its dialog. */
export function MergeConversationsContent(props: ChangeProps): JSX.Element {
  const { store, conversation } = props
  const { _id, customerId } = conversation
  const [others, setOthers] = useState<readonly Conversation[] | undefined>(undefined)
  const [problem, setProblem] = useState<Problem | undefined>(undefined)
  const [target, setTarget] = useState<Conversation | undefined>(undefined)
  useEffect(() => {
    if (customerId === null) return
    store.crm.conversations.list({ customerId, limit: offeredMax }).then(
      ({ data }) => setOthers(data.filter((other) => other._id !== _id)),
      (error) => setProblem(problemOf(error)),
    )
  }, [_id, customerId])
  if (target !== undefined) return <Preview {...props} target={target} />
  if (customerId === null || others?.length === 0) return <p>{more.mergeConversations.none}</p>
  return (
    <>
      <p>{more.mergeConversations.choose}</p>
      {others && (
        <Chooser
          label={t.dialogs.filter}
          choices={others.map(({ _id: id, subject }) => ({ id, text: subject || t.list.noSubject }))}
          onChoose={(id) => setTarget(others.find((other) => other._id === id))}
        />
      )}
      <ProblemText problem={problem} />
    </>
  )
}

interface PreviewProps extends ChangeProps {
  readonly target: Conversation
}

function Preview({ store, conversation: source, target, onClose }: PreviewProps): JSX.Element {
  const { isSending, problem, send } = useSending()
  const merge = async () => {
    const result = await store.crm.conversations.merge(target._id, { sourceId: source._id })
    store.conversations.take(result)
    onClose()
    // The screen opens the target instead.
    store.conversations.patch(source._id, { mergedInto: target._id, status: 'closed' })
    const undo = () =>
      void change(
        store.crm.conversations.unmerge(source._id).then((parted) => store.conversations.take(parted)),
        t.actions.undone,
      )
    showToast(more.mergeConversations.done, { action: { text: t.actions.undo, run: undo } })
  }
  const reason = refusalOf(problem)
  return (
    <>
      <p>{more.mergeConversations.hint}</p>
      <Facts title={more.mergeConversations.source} conversation={source} />
      <Facts title={more.mergeConversations.target} conversation={target} />
      {reason === undefined ? (
        <ProblemText problem={problem} />
      ) : (
        <p class="field-error" role="alert">
          {reason}
        </p>
      )}
      <p class="dialog-buttons">
        <Button kind="primary" isDisabled={isSending} onClick={() => send(merge)}>
          {more.mergeConversations.submit}
        </Button>
      </p>
    </>
  )
}

interface FactsProps {
  readonly title: string
  readonly conversation: Conversation
}

function Facts({ title, conversation }: FactsProps): JSX.Element {
  const { subject, lastMessage, lastMessageAt, messageCount } = conversation
  return (
    <>
      <h3>{title}</h3>
      <p dir="auto">
        <strong>{subject || t.list.noSubject}</strong>
      </p>
      {lastMessage && <p dir="auto">{wordsOf(lastMessage.preview, lastMessage.files)}</p>}
      <p>
        {more.mergeConversations.count(messageCount)}
        {lastMessageAt && ` · ${momentTime(lastMessageAt)}`}
      </p>
    </>
  )
}

/** Returns the sentence for a merge that is refused; undefined for another failure. */
function refusalOf(problem: Problem | undefined): string | undefined {
  if (problem?.code !== 'INVALID_STATE' && problem?.code !== 'CONFLICT') return undefined
  const { details } = problem
  const status: unknown =
    typeof details === 'object' && details !== null ? Reflect.get(details, 'status') : undefined
  const words: Readonly<Record<string, string>> = more.mergeConversations.refused
  return words[String(status)] ?? words['changed']
}
