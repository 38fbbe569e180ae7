import { type Signal, signal } from '@preact/signals'
import type { JSX } from 'preact'
import { t } from '../strings/strings.ts'
import { Button, IconButton } from './button.tsx'

interface Toast {
  readonly id: number
  readonly text: string
  readonly isDanger: boolean
  readonly detail: string | undefined
  readonly action: { readonly text: string; run(): void } | undefined
}

const toasts: Signal<readonly Toast[]> = signal([])
const shownMs = 6_000
let lastId = 0

function remove(id: number): void {
  toasts.value = toasts.peek().filter((toast) => toast.id !== id)
}

/** Shows a sentence for some seconds; a failure stays until it is dismissed. */
export function showToast(
  text: string,
  { isDanger = false, detail, action }: Partial<Pick<Toast, 'isDanger' | 'detail' | 'action'>> = {},
): void {
  lastId += 1
  const id = lastId
  toasts.value = [...toasts.peek().slice(-2), { id, text, isDanger, detail, action }]
  if (!isDanger) setTimeout(remove, shownMs, id)
}

export function Toasts(): JSX.Element {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, isDanger, detail, action }) => (
        <div key={id} class={`toast ${isDanger ? 'toast-danger' : ''}`}>
          <span>
            {text}
            {detail && <small>{detail}</small>}
          </span>
          {action && (
            <Button
              isSmall
              onClick={() => {
                remove(id)
                action.run()
              }}
            >
              {action.text}
            </Button>
          )}
          <IconButton icon="close" label={t.common.dismiss} onClick={() => remove(id)} />
        </div>
      ))}
    </div>
  )
}
