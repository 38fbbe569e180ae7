import type { JSX } from 'preact'
import { nameOfUser } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import {
  channels,
  defaultOrderOf,
  type ListFilter,
  type ListName,
  orders,
  priorities,
} from '../../store/views.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { Button } from '../../ui/button.tsx'
import { useFocus } from '../../ui/use-focus.ts'

interface FilterProps {
  readonly store: Store
  readonly list: ListName
  readonly onChange: (filter: ListFilter | undefined) => void
  readonly onClose: () => void
}

/** Narrows and orders the list beside it, with each choice: the inside of its dialog. */
export function FilterContent({ store, list, onChange, onClose }: FilterProps): JSX.Element {
  const filter = list.filter ?? {}
  const set = (change: ListFilter) => {
    const changed = { ...filter, ...change }
    onChange(Object.values(changed).some(Boolean) ? changed : undefined)
  }
  const people = store.users.value.map((user) => ({ value: user._id, text: nameOfUser(user) }))
  const usual = defaultOrderOf(list)
  const hasOwner = list.view === 'mine' || list.view === 'unassigned'
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <Choice
        label={more.filter.order}
        value={filter.sort}
        choices={orders
          .filter((value) => value !== usual)
          .map((value) => ({ value, text: t.list.filters[value] }))}
        none={t.list.filters[usual]}
        isFirst
        onChoose={(sort) => set({ sort })}
      />
      <Choice
        label={more.filter.priority}
        value={filter.priority}
        choices={priorities.map((value) => ({ value, text: t.list.filters[value] }))}
        onChoose={(priority) => set({ priority })}
      />
      <Choice
        label={more.filter.channel}
        value={filter.channel}
        choices={channels.map((value) => ({ value, text: t.channels[value] }))}
        onChoose={(channel) => set({ channel })}
      />
      {!hasOwner && (
        <Choice
          label={more.filter.assignedTo}
          value={filter.assignedTo}
          choices={[{ value: 'none', text: t.actions.nobody }, ...people]}
          onChoose={(assignedTo) => set({ assignedTo })}
        />
      )}
      <label class="field">
        {more.filter.label}
        <input
          class="input"
          dir="auto"
          maxLength={64}
          list="known-labels"
          value={filter.label ?? ''}
          onChange={({ currentTarget }) => set({ label: currentTarget.value.trim() || undefined })}
        />
        <datalist id="known-labels">
          {store.conversations.knownLabels().map((label) => (
            <option key={label} value={label} />
          ))}
        </datalist>
      </label>
      <Button kind="primary" type="submit">
        {more.filter.done}
      </Button>
    </form>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string | undefined
  readonly choices: readonly { readonly value: string; readonly text: string }[]
  /** The choice that filters nothing. */
  readonly none?: string
  /** Gets the focus when the dialog opens. */
  readonly isFirst?: boolean
  readonly onChoose: (value: string | undefined) => void
}

function Choice(props: ChoiceProps): JSX.Element {
  const { label, value = '', choices, none = more.filter.any, isFirst = false, onChoose } = props
  const focus = useFocus<HTMLSelectElement>(isFirst)
  return (
    <label class="field">
      {label}
      <select
        ref={focus}
        class="input"
        value={value}
        onChange={({ currentTarget }) => onChoose(currentTarget.value || undefined)}
      >
        <option value="">{none}</option>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.text}
          </option>
        ))}
      </select>
    </label>
  )
}
