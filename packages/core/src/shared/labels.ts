import { z } from 'zod'
import { validationFailure } from '../contract/failure.ts'
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

/** A change of the labels or the tags of a resource. */
export interface LabelChange {
  before: readonly string[]
  labels: readonly string[]
  /** The field of the request that a refusal names. */
  field: 'labels' | 'tags'
}

/** Adds labels; throws VALIDATION_ERROR when the result has more than 50. */
export function withLabels({ before, labels: added, field }: LabelChange): string[] {
  const labels = mergeLabels([...before, ...added])
  if (labels.length > labelsMax) {
    throw validationFailure([
      { field, message: `must be at most ${labelsMax} items`, rule: 'max', in: 'body' },
    ])
  }
  return labels
}

export function withoutLabels({ before, labels: removed }: LabelChange): string[] {
  const removedLabels = new Set(removed.map(foldLabel))
  return before.filter((label) => !removedLabels.has(foldLabel(label)))
}
