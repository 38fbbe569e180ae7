import { type FaultPoint, faultPoints } from '../../../src/shared/fault-points.ts'
import type { Random } from './random.ts'

/** How one life of a server ends. */
export type Ending =
  | { kind: 'point'; point: FaultPoint; passage: number }
  /** At a random moment, whatever the server does. */
  | { kind: 'random'; afterMs: number }

/** Points that the load passes rarely, or once in a life: only their first passages can be waited for. */
const passagesMax: Partial<Record<FaultPoint, number>> = {
  // Once a second.
  'before-figures': 5,
  'before-gone': 1,
  'during-wake-snoozed': 2,
  'before-due-draft': 2,
  'after-due-draft': 2,
  'during-erasure': 2,
  'between-erasure-pages': 2,
  'after-ledger-line': 1,
  'during-shutdown': 1,
}
const passagesUsually = 40
const randomAfterMs = 400

/** A busy machine starts a server and passes any point a few times in less. */
export const passWithinMs = 60_000

/**
 * The points that no mail has to pass: the load sends none, and `mail-run.ts` kills at the others. A new database has no rows
 * to upgrade: `test/contracts/row-upgrades.test.ts` kills there. The load merges nobody with many rows. No load deletes its tenant,
 * and none restores data of before: `tenant-deletion.test.ts` and `restored-erasures.test.ts` kill there.
 */
const otherRuns: readonly FaultPoint[] = [
  'between-merge-pages',
  'between-upgrade-pages',
  'during-tenant-deletion',
  'between-ledger-lines',
]
export const allPoints = (Object.keys(faultPoints) as FaultPoint[]).filter(
  (point) => !point.startsWith('mail-') && !otherRuns.includes(point),
)

/** Lives and their endings: the points round-robin, and every fourth ending at random. */
export function planEndings(
  { kills, points }: { kills: number; points: readonly FaultPoint[] },
  random: Random,
): Ending[] {
  const endings: Ending[] = []
  let planned = 0
  while (endings.length < kills) {
    // The points come first when there are not enough kills for both.
    const isRandom = endings.length % 4 === 0 && kills - endings.length > points.length - planned
    const point = points[planned % points.length]
    if (isRandom || point === undefined)
      endings.push({ kind: 'random', afterMs: random.below(randomAfterMs) })
    else {
      planned += 1
      endings.push({ kind: 'point', point, passage: 1 + random.below(passagesMax[point] ?? passagesUsually) })
    }
  }
  return endings
}
