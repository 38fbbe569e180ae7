import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Choice, Chooser } from './chooser.tsx'

/** Milliseconds after the last key before a search begins. */
const typingMs = 200

interface FinderProps {
  readonly label: string
  /** Returns the choices for a text, which may be empty. */
  readonly search: (text: string) => Promise<readonly Choice[]>
  /** A last choice, made of the text. */
  readonly lastChoice?: (text: string) => Choice
  /** Gets the choice and the text that was typed. */
  readonly onChoose: (choice: Choice, text: string) => void
}

/** A chooser whose choices are searched while a person types. A failed search shows no choice. */
export function Finder({ label, search, lastChoice, onChoose }: FinderProps): JSX.Element {
  const [text, setText] = useState('')
  const [found, setFound] = useState<readonly Choice[]>([])
  const latest = useRef(0)
  useEffect(() => {
    latest.current += 1
    const current = latest.current
    const timer = setTimeout(async () => {
      const choices = await search(text).catch(() => [])
      if (current === latest.current) setFound(choices)
    }, typingMs)
    return () => clearTimeout(timer)
  }, [text])
  const choices = text && lastChoice ? [...found, lastChoice(text)] : found
  return (
    <Chooser
      label={label}
      choices={choices}
      onText={(typed) => setText(typed.trim())}
      onChoose={(id) => {
        const chosen = choices.find((choice) => choice.id === id)
        if (chosen) onChoose(chosen, text)
      }}
    />
  )
}
