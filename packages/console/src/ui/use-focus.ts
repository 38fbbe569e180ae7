import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * Gives the focus to a field of a dialog. One that opens the dialog has it by `autofocus`, which does nothing in a dialog
 * that is open already.
 */
export function useFocus<T extends HTMLElement = HTMLInputElement>(isWanted: boolean): RefObject<T | null> {
  const ref = useRef<T>(null)
  useLayoutEffect(() => {
    const field = ref.current
    if (!isWanted || field === null) return
    field.autofocus = true
    field.focus()
  }, [isWanted])
  return ref
}
