import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { tinykeys } from 'tinykeys'
import type { Command } from './command.ts'

/** Keys that also work while a text is written. */
const everywhere: Readonly<Record<string, string>> = {
  '⌘K': '$mod+k',
  '⌘⏎': '$mod+Enter',
  '⌘⇧⏎': '$mod+Shift+Enter',
}
/** How the binding of a key is written where it differs from how people read it. */
const bindings: Readonly<Record<string, string>> = { '?': '[Shift]+?', ...everywhere }

function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}

/** Binds the keys of the commands. Letters do nothing while a person types or a dialog is open. */
export function useKeys(commands: readonly Command[]): void {
  const latest = useRef(commands)
  useLayoutEffect(() => {
    latest.current = commands
  })
  const keys = commands.flatMap(({ key }) => (key === undefined ? [] : [key])).join(' | ')
  useEffect(() => {
    // The first binding that matches takes the key: sequences come first, or `s` would take the end of `g s`.
    const sequencesFirst = keys.split(' | ').sort((a, b) => Number(b.includes(' ')) - Number(a.includes(' ')))
    const handlers = sequencesFirst.map((key) => {
      const run = (event: KeyboardEvent) => {
        // While an input method composes, each key belongs to it.
        if (event.isComposing || document.querySelector('dialog[open]') !== null) return
        if (isTyping(event) && !(key in everywhere)) return
        event.preventDefault()
        latest.current.find((command) => command.key === key)?.run()
      }
      return [bindings[key] ?? key, run] as const
    })
    return tinykeys(window, Object.fromEntries(handlers), { ignore: () => false })
  }, [keys])
}
