import type { JSX, TargetedInputEvent } from 'preact'
import { useId } from 'preact/hooks'
import { useFocus } from '../../ui/use-focus.ts'

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly onInput: (text: string) => void
  /** The number of lines; absent: one, in which Enter sends the form. */
  readonly rows?: number
  readonly isRequired?: boolean
  /** Of one line: whether it has the focus first. */
  readonly hasFocus?: boolean
  readonly maxLength: number
}

/** A field with its label above it. */
export function TextField(props: TextFieldProps): JSX.Element {
  const { label, value, onInput, rows, isRequired = false, hasFocus = false, maxLength } = props
  const id = useId()
  const first = useFocus(hasFocus)
  const shared = {
    id,
    class: 'input',
    dir: 'auto',
    autocomplete: 'off',
    required: isRequired,
    maxLength,
    value,
    onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onInput(currentTarget.value),
  } as const
  return (
    <div class="field">
      <label for={id} dir="auto">
        {label}
      </label>
      {rows === undefined ? <input {...shared} ref={first} /> : <textarea {...shared} rows={rows} />}
    </div>
  )
}
