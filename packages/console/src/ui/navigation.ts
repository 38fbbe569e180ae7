import { computed, type ReadonlySignal, signal } from '@preact/signals'

/** Base of all screens, such as `/support/console/`. */
export const basePath: string = new URL('../', import.meta.url).pathname

function currentPath(): string {
  const { pathname } = window.location
  return pathname.startsWith(basePath) ? pathname.slice(basePath.length) : ''
}

const path = signal(currentPath())

/** The parts of the screen's address: `['inbox', 'open', 'cnv_1']`. */
export const route: ReadonlySignal<readonly string[]> = computed(() =>
  path.value.split('/').filter(Boolean).map(decoded),
)

/** A malformed escape leads to no screen, not to an error. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

window.addEventListener('popstate', () => {
  path.value = currentPath()
})

/** The address of a screen, for links. */
export function addressOf(...parts: readonly string[]): string {
  return basePath + parts.map(encodeURIComponent).join('/')
}

export function navigate(address: string, { replace = false }: { replace?: boolean } = {}): void {
  if (replace) window.history.replaceState(null, '', address)
  else window.history.pushState(null, '', address)
  path.value = currentPath()
}

/** Lets a plain click on a link of this console change the screen without loading the page. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
      return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link === null || link.target !== '' || link.origin !== window.location.origin) return
    if (!link.pathname.startsWith(basePath)) return
    event.preventDefault()
    navigate(link.pathname)
  })
}
