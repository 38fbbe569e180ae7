import { type FaultPoint, faultPoints } from '../../../src/shared/fault-points.ts'
import type { Random } from './random.ts'

/** How one life of a server ends. */
export type Ending =
  | { kind: 'point'; point: FaultPoint; passage: number }
  /** At a moment that has nothing to do with what the server does. */
  | { kind: 'random'; afterMs: number }

/** Points that the load passes rarely, or once in a life: only their first passages can be waited for. */
const passagesMax: Partial<Record<FaultPoint, number>> = {
  'before-gone': 1,
  'during-wake-snoozed': 2,
  'during-erasure': 2,
  'during-shutdown': 1,
}
const passagesUsually = 20
const randomAfterMs = 400

export const allPoints = Object.keys(faultPoints) as FaultPoint[]

/** Lives and their endings: every point in turn, and every fourth ending at random. */
export function planEndings(
  { kills, points }: { kills: number; points: readonly FaultPoint[] },
  random: Random,
): Ending[] {
  const endings: Ending[] = []
  let turn = 0
  while (endings.length < kills) {
    const isRandom = endings.length % 4 === 0 && endings.length + points.length - turn < kills
    if (isRandom) endings.push(atRandom(random))
    else
      endings.push(
        atPoint(points[turn++ % points.length] as FaultPoint, { random, isFirst: turn <= points.length }),
      )
  }
  return endings
}

export function atRandom(random: Random): Ending {
  return { kind: 'random', afterMs: random.below(randomAfterMs) }
}

function atPoint(point: FaultPoint, { random, isFirst }: { random: Random; isFirst: boolean }): Ending {
  const passage = isFirst ? 1 : 1 + random.below(passagesMax[point] ?? passagesUsually)
  return { kind: 'point', point, passage }
}
