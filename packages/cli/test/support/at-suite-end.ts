import { afterAll } from 'vitest'

type End = () => Promise<void> | void

/**
 * Answers how to say what ends with the suite, for hooks and tests: `afterAll` itself is never called when it is
 * registered in one of those, and a server of every suite stayed on the machine.
 */
export function atSuiteEnd(): (end: End) => void {
  const ends: End[] = []
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })
  return (end) => void ends.push(end)
}
