import type { JSX, TargetedInputEvent } from 'preact'
import { useId } from 'preact/hooks'

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly onInput: (text: string) => void
  /** The number of lines; absent: one, in which Enter sends the form. */
  readonly rows?: number
  readonly isRequired?: boolean
  readonly maxLength: number
}

/** A field with its label above it. */
export function TextField(props: TextFieldProps): JSX.Element {
  const { label, value, onInput, rows, isRequired = false, maxLength } = props
  const id = useId()
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
      {rows === undefined ? <input {...shared} /> : <textarea {...shared} rows={rows} />}
    </div>
  )
}
