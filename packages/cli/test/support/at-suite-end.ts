import { afterAll } from 'vitest'

type End = () => Promise<void> | void

/**
 * Returns a function that registers cleanup for the end of the suite. Hooks and tests need it, because an `afterAll`
 * that they register is never called.
 */
export function atSuiteEnd(): (end: End) => void {
  const ends: End[] = []
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })
  return (end) => void ends.push(end)
}
