import type { Inbox, UpdateInbox } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { nameOfUser } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { useFocus } from '../../ui/use-focus.ts'
import { assignmentOf } from './inbox-mail-values.ts'
import { styles } from './settings-styles.ts'

type InboxValues = UpdateInbox & { readonly name: string }

interface InboxFormProps {
  readonly store: Store
  /** Absent: a new one. */
  readonly inbox?: Inbox
  readonly submit: string
  readonly onSubmit: (values: InboxValues) => Promise<void>
}

const noAssignment: Inbox['autoAssign'] = {
  enabled: false,
  strategy: 'round_robin',
  onlyOnline: true,
  maxOpen: null,
}
const maxOpenMax = 10_000

/** The name of an inbox, the people who work in it, and who gets a new conversation: the inside of a dialog. */
export function InboxForm({ store, inbox, submit, onSubmit }: InboxFormProps): JSX.Element {
  const [name, setName] = useState(inbox?.name ?? '')
  const [members, setMembers] = useState<readonly string[]>(inbox?.members ?? [])
  const autoAssign = inbox?.autoAssign ?? noAssignment
  const [isAssigned, setAssigned] = useState(autoAssign.enabled)
  const [maxOpen, setMaxOpen] = useState(autoAssign.maxOpen)
  const { isSending, problem, send } = useSending()
  const field = useFocus(true)
  const texts = more.inboxForms
  const people = store.users.value.filter(({ _id, isActive }) => isActive || members.includes(_id))
  const values = (): InboxValues => ({
    name: name.trim(),
    members: [...members],
    autoAssign: assignmentOf({ autoAssign }, { enabled: isAssigned, maxOpen }),
  })
  return (
    <form
      style={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        send(() => onSubmit(values()))
      }}
    >
      <label class="field">
        {texts.name}
        <input
          ref={field}
          class="input"
          dir="auto"
          required
          maxLength={100}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <fieldset style={styles.choices}>
        <legend>{texts.members}</legend>
        {people.map((user) => (
          <label key={user._id}>
            <input
              type="checkbox"
              checked={members.includes(user._id)}
              onChange={({ currentTarget }) =>
                setMembers((now) =>
                  currentTarget.checked ? [...now, user._id] : now.filter((id) => id !== user._id),
                )
              }
            />{' '}
            <span dir="auto">{nameOfUser(user)}</span>
          </label>
        ))}
      </fieldset>
      <p class="hint">{texts.membersHint}</p>
      <label>
        <input
          type="checkbox"
          checked={isAssigned}
          onChange={({ currentTarget }) => setAssigned(currentTarget.checked)}
        />{' '}
        {texts.isAssigned}
      </label>
      {isAssigned && (
        <label class="field">
          {texts.maxOpen}
          <input
            class="input"
            type="number"
            min={1}
            max={maxOpenMax}
            value={maxOpen ?? ''}
            onInput={({ currentTarget }) =>
              setMaxOpen(currentTarget.value === '' ? null : currentTarget.valueAsNumber)
            }
          />
        </label>
      )}
      <ProblemText problem={problem} />
      <p>
        <Button type="submit" kind="primary" isDisabled={isSending}>
          {submit}
        </Button>
      </p>
    </form>
  )
}
