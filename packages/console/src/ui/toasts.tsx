import { type Signal, signal } from '@preact/signals'
import type { JSX } from 'preact'
import { t } from '../strings/strings.ts'
import { Button, IconButton } from './button.tsx'
import { type Reason, ReasonText } from './states.tsx'

interface Toast {
  readonly id: number
  readonly text: string
  readonly reason: Reason | undefined
  readonly action: { readonly text: string; run(): void } | undefined
}

const toasts: Signal<readonly Toast[]> = signal([])
const shownMs = 6_000
/** An undo needs a thought more. */
const shownWithActionMs = 10_000
/** Between two looks whether a toast still has the pointer or the focus. */
const heldMs = 1_000
let lastId = 0

function remove(id: number): void {
  toasts.value = toasts.peek().filter((toast) => toast.id !== id)
}

/** A toast below the pointer, or with the focus, stays: somebody reads it or is about to press. */
function expire(id: number): void {
  if (document.querySelector('.toasts:is(:hover, :focus-within)') === null) remove(id)
  else setTimeout(expire, heldMs, id)
}

/** Takes the newest change back that still can be. */
export function undoNewest(): void {
  const newest = toasts.peek().findLast(({ action }) => action?.text === t.actions.undo)
  if (newest === undefined) return
  remove(newest.id)
  newest.action?.run()
}

/** Shows a sentence for some seconds; a failure stays until it is dismissed. */
export function showToast(
  text: string,
  { reason, action }: Partial<Pick<Toast, 'reason' | 'action'>> = {},
): void {
  lastId += 1
  const id = lastId
  toasts.value = [...toasts.peek().slice(-2), { id, text, reason, action }]
  if (!reason) setTimeout(expire, action ? shownWithActionMs : shownMs, id)
}

export function Toasts(): JSX.Element {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, reason, action }) => (
        <div key={id} class={`toast ${reason ? 'toast-danger' : ''}`}>
          <div>
            {text}
            {reason && (
              <div class="toast-reason">
                <ReasonText reason={reason} />
              </div>
            )}
          </div>
          {action && (
            <Button
              isSmall
              hint={action.text === t.actions.undo ? 'z' : undefined}
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
