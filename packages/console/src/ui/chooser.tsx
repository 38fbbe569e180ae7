import type { JSX } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { t } from '../strings/strings.ts'
import { keyText } from './key-text.ts'
import { useFocus } from './use-focus.ts'

export interface Choice {
  readonly id: string
  readonly text: string
  /** The key that does the same. */
  readonly key?: string | undefined
}

interface ChooserProps {
  readonly label: string
  readonly choices: readonly Choice[]
  /** Gets the id of the choice. */
  readonly onChoose: (id: string) => void
  /** Called with a text that is no choice, where new ones may be made. */
  readonly onNew?: ((text: string) => void) | undefined
  /** Gets each change of the text, where the choices are found elsewhere; without it they are filtered here. */
  readonly onText?: ((text: string) => void) | undefined
}

/** A text field that filters a list; the arrows choose, Enter takes. */
export function Chooser({ label, choices, onChoose, onNew, onText }: ChooserProps): JSX.Element {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const field = useFocus(true)
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = onText
    ? choices
    : choices.filter((choice) => words.every((word) => choice.text.toLowerCase().includes(word)))
  const chosen = Math.min(at, found.length - 1)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  })
  const take = () => {
    const choice = found[chosen]
    if (choice !== undefined) onChoose(choice.id)
    else if (text.trim() !== '') onNew?.(text.trim())
    setText('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt((chosen + step + found.length) % Math.max(1, found.length))
    else if (event.key === 'Enter') take()
    else return
    event.preventDefault()
  }
  return (
    <div>
      <input
        ref={field}
        class="input"
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={chosen < 0 ? undefined : `${listId}-${chosen}`}
        placeholder={label}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setAt(0)
          onText?.(currentTarget.value)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={listId} ref={list} class="chooser-list" role="listbox" aria-label={label}>
        {found.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
          <div
            key={choice.id}
            id={`${listId}-${index}`}
            class="chooser-option"
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => onChoose(choice.id)}
            onMouseMove={() => setAt(index)}
          >
            <span dir="auto">{choice.text}</span>
            {choice.key && <kbd>{keyText(choice.key)}</kbd>}
          </div>
        ))}
      </div>
      {found.length === 0 && <p class="empty">{onNew && text ? t.dialogs.labelHint : t.dialogs.nothing}</p>}
    </div>
  )
}
