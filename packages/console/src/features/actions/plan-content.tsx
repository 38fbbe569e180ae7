import type { Conversation } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { problemOf } from '../../api/problem.ts'
import { type Draft, isBlank } from '../../store/draft.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { momentTime } from '../../strings/times.ts'
import { Button } from '../../ui/button.tsx'
import { Chooser } from '../../ui/chooser.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useFocus } from '../../ui/use-focus.ts'
import { localTime, planTimes } from './plan-times.ts'

interface PlanProps {
  readonly store: Store
  readonly conversation: Conversation
  readonly onClose: () => void
}

/** When the service sends the reply that stands in the composer: the inside of its dialog. */
export function PlanContent(props: PlanProps): JSX.Element {
  const { draft, held } = props.store.drafts.state(props.conversation._id).value
  const obstacle = obstacleOf(draft, held !== undefined)
  return obstacle === undefined ? <Times {...props} /> : <p>{obstacle}</p>
}

function obstacleOf(draft: Draft, isPlanned: boolean): string | undefined {
  if (isPlanned) return more.plan.already
  if (draft.type === 'note') return more.plan.isNote
  return isBlank(draft) ? more.plan.empty : undefined
}

const ownTime = 'own'

function Times({ store, conversation, onClose }: PlanProps): JSX.Element {
  const [unlessReplied, setUnlessReplied] = useState(true)
  const [isOwn, setOwn] = useState(false)
  const times = planTimes(Date.now())
  const plan = async (sendAt: string) => {
    onClose()
    const { _id, seq } = store.conversations.rows.peek(conversation._id) ?? conversation
    const { draft } = store.drafts.state(_id).peek()
    try {
      await store.outgoing.plan(_id, draft, { sendAt, sendUnlessReplied: unlessReplied, ifSeq: seq })
      showToast(more.plan.done(momentTime(sendAt)))
    } catch (error) {
      showToast(more.plan.failed, { reason: problemOf(error) })
    }
  }
  const choices = [
    ...(['inOneHour', 'tomorrow', 'monday'] as const).map((id) => ({
      id: times[id],
      text: `${more.plan[id]} (${momentTime(times[id])})`,
    })),
    { id: ownTime, text: more.plan.ownTime },
  ]
  return (
    <>
      {isOwn ? (
        <OwnTime onChoose={(sendAt) => void plan(sendAt)} />
      ) : (
        <Chooser
          label={t.dialogs.filter}
          choices={choices}
          onChoose={(id) => (id === ownTime ? setOwn(true) : void plan(id))}
        />
      )}
      <p>
        <label>
          <input
            type="checkbox"
            checked={unlessReplied}
            onChange={({ currentTarget }) => setUnlessReplied(currentTarget.checked)}
          />{' '}
          {more.plan.unlessReplied}
        </label>
      </p>
    </>
  )
}

function OwnTime({ onChoose }: { readonly onChoose: (sendAt: string) => void }): JSX.Element {
  const [text, setText] = useState(() => localTime(Date.now() + 3_600_000))
  const [isPast, setPast] = useState(false)
  const id = useId()
  const field = useFocus(true)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const ms = new Date(text).getTime()
        if (ms > Date.now()) onChoose(new Date(ms).toISOString())
        else setPast(true)
      }}
    >
      <label class="field" for={id}>
        {more.plan.ownTime}
      </label>
      <input
        ref={field}
        id={id}
        class="input"
        type="datetime-local"
        required
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setPast(false)
        }}
      />
      {isPast && (
        <p class="field-error" role="alert">
          {more.plan.past}
        </p>
      )}
      <Button kind="primary" type="submit">
        {more.plan.submit}
      </Button>
    </form>
  )
}
