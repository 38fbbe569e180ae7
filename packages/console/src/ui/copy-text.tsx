import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { more } from '../strings/more.ts'
import { Button } from './button.tsx'

interface CopyTextProps {
  readonly label: string
  readonly text: string
}

/** A text to paste elsewhere. Where the browser gives no clipboard, the text is selected for the keys of the person. */
export function CopyText({ label, text }: CopyTextProps): JSX.Element {
  const id = useId()
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    const field = document.getElementById(id) as HTMLTextAreaElement
    field.select()
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      setCopied(false)
    }
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea id={id} class="input" readOnly rows={2} value={text} style={{ fontFamily: 'monospace' }} />
      <span>
        <Button isSmall onClick={() => void copy()}>
          {more.setup.copy}
        </Button>{' '}
        <span role="status">{isCopied ? more.setup.copied : ''}</span>
      </span>
    </div>
  )
}
