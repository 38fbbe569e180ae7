import type { CreateCannedReply } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { createCannedReply } from '../../api/canned-replies.ts'
import { type Problem, problemOf } from '../../api/problem.ts'
import { KeptForm } from '../../store/kept-form.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { ReasonText } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useFocus } from '../../ui/use-focus.ts'

type Fields = Required<Pick<CreateCannedReply, 'shortcut' | 'title' | 'content' | 'isShared'>>

interface NewCannedReplyProps {
  readonly store: Store
  /** The text of the message, with which the reply begins. */
  readonly content: string
  readonly onClose: () => void
}

/** The form of a new canned reply: a part of the dialog that inserts one. */
export function NewCannedReply({ store, content, onClose }: NewCannedReplyProps): JSX.Element {
  const kept = new KeptForm<Fields>(store.me._id, 'canned-reply')
  const [fields, setFields] = useState<Fields>(
    () => kept.read() ?? { shortcut: '', title: '', content, isShared: true },
  )
  // Before the paint: an Escape right behind the last letter closes the dialog before an effect would run.
  useLayoutEffect(() => {
    if (fields.shortcut + fields.title === '') kept.remove()
    else kept.put(fields)
  }, [fields])
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const first = useFocus(true)
  const save = async () => {
    setSending(true)
    try {
      await createCannedReply(store.crm, fields)
      kept.remove()
      onClose()
      showToast(more.cannedReplies.saved(fields.shortcut))
    } catch (error) {
      setProblem(problemOf(error))
      setSending(false)
    }
  }
  const set = (changed: Partial<Fields>) => setFields({ ...fields, ...changed })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSending) void save()
      }}
    >
      <label class="field">
        {more.cannedReplies.shortcut}
        <input
          class="input"
          required
          pattern="[a-z0-9][a-z0-9_\-]{0,39}"
          title={more.cannedReplies.shortcutHint}
          ref={first}
          value={fields.shortcut}
          onInput={({ currentTarget }) => set({ shortcut: currentTarget.value })}
        />
      </label>
      <label class="field">
        {more.cannedReplies.title}
        <input
          class="input"
          dir="auto"
          required
          maxLength={100}
          value={fields.title}
          onInput={({ currentTarget }) => set({ title: currentTarget.value })}
        />
      </label>
      <label class="field">
        {more.cannedReplies.content}
        <textarea
          class="input"
          dir="auto"
          rows={5}
          required
          maxLength={20_000}
          value={fields.content}
          onInput={({ currentTarget }) => set({ content: currentTarget.value })}
        />
      </label>
      <p class="hint">{more.cannedReplies.contentHint}</p>
      <label>
        <input
          type="checkbox"
          checked={fields.isShared}
          onChange={({ currentTarget }) => set({ isShared: currentTarget.checked })}
        />{' '}
        {more.cannedReplies.isShared}
      </label>
      {problem && (
        <div class="field-error" role="alert">
          <ReasonText reason={problem} />
        </div>
      )}
      <p>
        <Button kind="primary" type="submit" isDisabled={isSending}>
          {more.cannedReplies.save}
        </Button>
      </p>
    </form>
  )
}
