import { signal } from '@preact/signals'
import type { ComponentType, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { SkeletonRows } from './states.tsx'

interface LazyScreen<Props> {
  (props: Props): JSX.Element | null
  /** Loads the code before it is needed. */
  preload(): void
}

/**
 * A part of the console whose code is loaded when it is shown. After an update of the server its file may not exist any more:
 * then the page is loaded again, once for each part. `waiting` is shown until then. A part that nobody asked for has null: it stays
 * away without a reload.
 */
export function lazy<Props extends object>(
  part: string,
  load: () => Promise<ComponentType<Props>>,
  waiting: JSX.Element | null = <SkeletonRows count={6} rowHeight={84} />,
): LazyScreen<Props> {
  // Of each part: the file of one may be gone while those of the others are there.
  const key = `crm-console-reloaded-${part}`
  const loaded = signal<{ readonly Screen: ComponentType<Props> } | undefined>(undefined)
  const read = async (): Promise<void> => {
    if (loaded.peek() === undefined) loaded.value = { Screen: await load() }
    sessionStorage.removeItem(key)
  }
  const reloadOnce = () => {
    if (!waiting || sessionStorage.getItem(key)) return
    sessionStorage.setItem(key, 'yes')
    window.location.reload()
  }
  function Lazy(props: Props): JSX.Element | null {
    useEffect(() => void read().catch(reloadOnce), [])
    const Screen = loaded.value?.Screen
    return Screen === undefined ? waiting : <Screen {...props} />
  }
  // A part that cannot be loaded now is asked for again when it is shown.
  return Object.assign(Lazy, { preload: () => void read().catch(() => undefined) })
}
