import type { ComponentType, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { SkeletonRows } from './states.tsx'

const reloadedKey = 'crm-console-reloaded'

/**
 * A screen whose code is loaded when it is shown. After an update of the server its file may not exist any more: then the
 * page is loaded again, once.
 */
export function lazy(load: () => Promise<ComponentType>): () => JSX.Element {
  return function Lazy() {
    const [loaded, setLoaded] = useState<{ readonly Screen: ComponentType } | undefined>(undefined)
    useEffect(() => {
      load().then(
        (Screen) => {
          sessionStorage.removeItem(reloadedKey)
          setLoaded({ Screen })
        },
        () => {
          if (sessionStorage.getItem(reloadedKey) !== null) return
          sessionStorage.setItem(reloadedKey, 'yes')
          window.location.reload()
        },
      )
    }, [])
    return loaded === undefined ? <SkeletonRows count={6} rowHeight={84} /> : <loaded.Screen />
  }
}
