import type { JSX } from 'preact'

/** The first letters of a name in a circle. The name itself stands beside it, so nothing is read out. */
export function Avatar({
  name,
  isSmall,
  availability,
}: {
  readonly name: string
  readonly isSmall?: boolean
  /** Of a colleague: `online` and `away` have a ring. */
  readonly availability?: string
}): JSX.Element {
  return (
    <span class={`avatar ${isSmall ? 'avatar-small' : ''} avatar-${availability}`} aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words
  return chosen
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}
