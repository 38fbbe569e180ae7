import { z } from 'zod'
import { foldLabel } from './fold.ts'
import { rule } from './rule.ts'
import { composeText } from './text.ts'

export const labelsMax = 50
const labelLengthMax = 64

/** Merges labels that differ only in case; the first spelling stays. */
export function mergeLabels(labels: readonly string[]): string[] {
  const seen = new Map<string, string>()
  for (const label of labels) {
    const folded = foldLabel(label)
    if (!seen.has(folded)) seen.set(folded, label)
  }
  return [...seen.values()]
}

/** Tags of a customer or labels of a conversation, in a request. The bound counts after merging. */
export const labelList = z
  .array(
    z
      .string()
      .overwrite(composeText(labelLengthMax))
      .min(1)
      .max(labelLengthMax)
      .refine((label) => !label.includes(','), rule('comma', 'must not hold a comma'))
      .refine(
        (label) => !/\p{Cc}/u.test(label) && label.isWellFormed(),
        rule('control', 'must not hold control characters'),
      ),
  )
  .max(1000)
  .overwrite(mergeLabels)
  .max(labelsMax)
