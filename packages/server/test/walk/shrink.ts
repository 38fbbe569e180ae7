import type { Step } from './step-kind.ts'
import type { Difference } from './walk.ts'

export interface Shrunk {
  readonly steps: readonly Step[]
  /** Of the shorter list; undefined when the failure does not repeat. */
  readonly difference: Difference | undefined
}

const usualTries = 200

/** Two failures of one kind: numbers, ids and names may differ. */
function kindOf({ message }: Difference): string {
  const [line = ''] = message.split('\n')
  return line.replace(/[a-z]*\d[\w]*/g, '#').slice(0, 60)
}

/**
 * Delta debugging: leaves out ever smaller parts of the list as long as the rest still fails in the same way. A step whose
 * row is not made any more does nothing.
 */
export async function shrink(
  steps: readonly Step[],
  fails: (steps: readonly Step[]) => Promise<Difference | undefined>,
  tries = usualTries,
): Promise<Shrunk> {
  let difference = await fails(steps)
  if (difference === undefined) return { steps, difference }
  const kind = kindOf(difference)
  let current = steps.slice(0, difference.step)
  let left = tries
  for (let size = Math.ceil(current.length / 2); size >= 1 && left > 0; ) {
    let isShorter = false
    for (let from = current.length - size; from > -size && left > 0; from -= size) {
      const some = [...current.slice(0, Math.max(0, from)), ...current.slice(from + size)]
      if (some.length === current.length) continue
      left -= 1
      const found = await fails(some)
      if (found === undefined || kindOf(found) !== kind) continue
      current = some
      difference = found
      isShorter = true
    }
    if (size === 1 && !isShorter) break
    size = size === 1 ? 1 : Math.ceil(size / 2)
  }
  return { steps: current, difference }
}
