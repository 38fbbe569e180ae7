import { signal } from '@preact/signals'
import type { ComponentType, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { SkeletonRows } from './states.tsx'

/** Of each part: the file of one may be gone while those of the others are there. */
const reloadedKey = (part: string) => `crm-console-reloaded-${part}`

interface LazyScreen<Props> {
  (props: Props): JSX.Element | null
  /** Loads the code before it is needed. */
  preload(): void
}

/**
 * A part of the console whose code is loaded when it is shown. After an update of the server its file may not exist any more:
 * then the page is loaded again, once for each part. `waiting` is shown until then; a small part shows nothing.
 */
export function lazy<Props extends object>(
  part: string,
  load: () => Promise<ComponentType<Props>>,
  waiting: JSX.Element | null = <SkeletonRows count={6} rowHeight={84} />,
): LazyScreen<Props> {
  const loaded = signal<{ readonly Screen: ComponentType<Props> } | undefined>(undefined)
  const read = async (): Promise<void> => {
    if (loaded.peek() === undefined) loaded.value = { Screen: await load() }
    sessionStorage.removeItem(reloadedKey(part))
  }
  const reloadOnce = () => {
    if (sessionStorage.getItem(reloadedKey(part)) !== null) return
    sessionStorage.setItem(reloadedKey(part), 'yes')
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
