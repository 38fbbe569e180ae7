import type { LabelRange, SpellingCount } from '../../../storage/label-counts.ts'
import type { CollectionAccess } from '../connection/access.ts'
import { type Filter, isNoneOf, trusted } from '../connection/filters.ts'
import { findErasures } from '../erasure/erasures.ts'

/** The stored labels of a row are a list as JSON text: `["billing","vip"]`. No label holds a comma. */
const labelsText = '$row.labels.json'
const separator = '","'
/** The brackets and the outer quotes. */
const endLength = 2

/** Returns the labels as they are in JSON, and the empty one for the row itself. */
const labelsOfRow = {
  $concatArrays: [
    [''],
    {
      $split: [
        {
          $substrBytes: [labelsText, endLength, { $subtract: [{ $strLenBytes: labelsText }, 2 * endLength] }],
        },
        separator,
      ],
    },
  ],
}

/** Counts the labels of conversations from the index `labelUses` alone, unless an erasure is unfinished. */
export async function countLabels(
  access: CollectionAccess,
  { from, to, usedBy }: LabelRange,
): Promise<SpellingCount[]> {
  const erased = await findErasures(access)
  const where: Filter[] = [
    { 'row.createdAt': trusted({ $gte: from, $lte: to }) },
    ...(usedBy === undefined ? [] : [{ 'row.assignedTo': usedBy }]),
    // An empty list is `[]`; every other list sorts before it.
    { 'row.labels.json': trusted({ $lt: '[]' }) },
    ...isNoneOf('row.customerId', erased),
  ]
  const stages = [
    { $match: { $and: where } },
    { $project: { _id: 0, label: labelsOfRow } },
    { $unwind: '$label' },
    { $group: { _id: '$label', count: { $sum: 1 } } },
  ]
  const found = await access.pipe<{ _id: string; count: number }>('conversations', stages, 'labelUses')
  return found.map(({ _id, count }) => ({ label: JSON.parse(`"${_id}"`) as string, count }))
}
