import type { ComponentChildren, JSX } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../strings/strings.ts'
import { IconButton } from './button.tsx'

interface DialogProps {
  readonly title: string
  /** Undefined: the dialog cannot be left. */
  readonly onClose?: (() => void) | undefined
  readonly children: ComponentChildren
}

/** A modal dialog: the platform holds the focus inside, and gives it back at the end. */
export function Dialog({ title, onClose, children }: DialogProps): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // Before the next key: an effect after the paint would leave the first letters of a fast person to the shortcuts.
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      class="dialog"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
      onMouseDown={({ target, currentTarget }) => target === currentTarget && onClose?.()}
    >
      <div class="dialog-head">
        <h2 id={titleId}>{title}</h2>
        {onClose && <IconButton icon="close" label={t.common.close} onClick={onClose} />}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keys scroll it only when it can have the focus */}
      <div class="dialog-body" tabIndex={0}>
        {children}
      </div>
    </dialog>
  )
}
