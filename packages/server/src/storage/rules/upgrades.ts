import type { TaskRecord } from '../kinds/tasks.ts'
import { ifReadable } from './readable-rows.ts'

/** Sums, by the name of the step, the rows that the given tasks still have to look at. */
export function rowsToUpgrade(tasks: readonly (() => TaskRecord)[]): Record<string, number> {
  const left: Record<string, number> = {}
  for (const { subjectId, progress } of tasks.flatMap((read) => ifReadable(read)))
    left[subjectId] = (left[subjectId] ?? 0) + (progress?.left ?? 0)
  return left
}
