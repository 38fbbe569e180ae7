import { effect, type Signal, signal } from '@preact/signals'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'crm-console-theme'

function stored(): Theme {
  const found = localStorage.getItem(key)
  return themes.find((theme) => theme === found) ?? 'system'
}

export const theme: Signal<Theme> = signal(stored())

/** Draws the page in the chosen theme; `system` follows the system. */
export function followTheme(): void {
  effect(() => {
    if (theme.value === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme.value
    localStorage.setItem(key, theme.value)
  })
}
