import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'

interface SheetProps {
  readonly onClose: () => void
}

/**
 * Lies behind a pane that covers others on a narrow screen. A press beside the pane closes it and reaches nothing behind it, and
 * so does Escape. On a wide screen, where the pane covers nothing, the styles hide it.
 */
export function Sheet({ onClose }: SheetProps): JSX.Element {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // A dialog above the pane has its own Escape.
      if (event.key !== 'Escape' || event.isComposing || document.querySelector('dialog[open]')) return
      onClose()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [onClose])
  // The end of the press, because the rest of it would go to whatever lies behind.
  return <div class="sheet" aria-hidden="true" onClick={onClose} />
}
