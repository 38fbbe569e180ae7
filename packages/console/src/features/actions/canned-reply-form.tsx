import type { CannedReply, CreateCannedReply } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { createCannedReply, deleteCannedReply, updateCannedReply } from '../../api/canned-replies.ts'
import { KeptForm } from '../../store/kept-form.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { DeleteButton, ProblemText, useSending } from '../../ui/sending.tsx'
import { useFocus } from '../../ui/use-focus.ts'

type Fields = Required<Pick<CreateCannedReply, 'shortcut' | 'title' | 'content' | 'isShared'>>

interface CannedReplyFormProps {
  readonly store: Store
  /** The one that is changed; undefined for a new one. */
  readonly reply?: CannedReply | undefined
  /** The text of the message, with which a new one begins. */
  readonly content: string
  readonly onClose: () => void
}

/** The form of a new canned reply, or of one that is changed or deleted: a part of the dialog that inserts one. */
export function CannedReplyForm({ store, reply, content, onClose }: CannedReplyFormProps): JSX.Element {
  const kept = new KeptForm<Fields>(store.me._id, `canned-reply${reply ? `-${reply._id}` : ''}`)
  const [before] = useState<Fields>(() =>
    fieldsOf(reply ?? { shortcut: '', title: '', content, isShared: true }),
  )
  const [fields, setFields] = useState<Fields>(() => kept.read() ?? before)
  // Before the paint: an Escape right behind the last letter closes the dialog before an effect would run.
  useLayoutEffect(() => {
    if (isSame(fields, before)) kept.remove()
    else kept.put(fields)
  }, [fields])
  const { isSending, problem, send } = useSending()
  const first = useFocus(true)
  const finish = () => {
    kept.remove()
    onClose()
  }
  const save = async () => {
    if (reply === undefined) await createCannedReply(store.crm, fields)
    else await updateCannedReply(store.crm, reply._id, fields)
    finish()
  }
  const set = (changed: Partial<Fields>) => setFields({ ...fields, ...changed })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send(save, more.cannedReplies.saved(fields.shortcut))
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
      <ProblemText problem={problem} />
      <p class="dialog-buttons">
        <Button kind="primary" type="submit" isDisabled={isSending}>
          {more.cannedReplies.save}
        </Button>
        {reply && (
          <DeleteButton
            label={more.cannedReplies.delete}
            sure={more.cannedReplies.deleteNow(reply.isShared)}
            isDisabled={isSending}
            onDelete={() =>
              send(
                () => deleteCannedReply(store.crm, reply._id).then(finish),
                more.cannedReplies.deleted(reply.shortcut),
              )
            }
          />
        )}
      </p>
    </form>
  )
}

function fieldsOf({ shortcut, title, content, isShared }: Fields): Fields {
  return { shortcut, title, content, isShared }
}

function isSame(one: Fields, other: Fields): boolean {
  return Object.keys(one).every((name) => one[name as keyof Fields] === other[name as keyof Fields])
}
