import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { keyName } from '../../ui/key-name.ts'
import type { Command } from './command.ts'

/** Milliseconds between the two keys of a sequence. */
const sequenceMs = 1_000

function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof Element &&
    target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') !== null
  )
}

/** While an input method composes, a person writes or a dialog is open, most keys belong to them. */
function isMine(event: KeyboardEvent, key: string): boolean {
  if (event.isComposing || document.querySelector('dialog[open]') !== null) return false
  // Keys that write nothing also work while a text is written.
  return /^⌘|F6$/.test(key) || !isTyping(event)
}

/** Binds the keys of the commands. Letters do nothing while a person types or a dialog is open. */
export function useKeys(commands: readonly Command[]): void {
  const latest = useRef(commands)
  useLayoutEffect(() => {
    latest.current = commands
  })
  useEffect(() => {
    let before = ''
    let beforeAt = 0
    const onKey = (event: KeyboardEvent) => {
      const key = keyName(event)
      // Shift by itself is a part of the key that follows.
      if (key === undefined || key.endsWith('Shift') || !isMine(event, key)) return
      const isSequence = event.timeStamp - beforeAt < sequenceMs
      const find = (name: string) => latest.current.find((command) => command.key === name)
      // Sequences come first, or `s` would take the end of `g s`.
      const command = (isSequence && find(`${before} ${key}`)) || find(key)
      before = command ? '' : key
      beforeAt = event.timeStamp
      if (command === undefined) return
      event.preventDefault()
      command.run()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
