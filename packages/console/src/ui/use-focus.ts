import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Gives the focus to a field that appears in a dialog which is open already: there `autofocus` does nothing. */
export function useFocus(isWanted: boolean): RefObject<HTMLInputElement | null> {
  const ref = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (isWanted) ref.current?.focus()
  }, [isWanted])
  return ref
}
