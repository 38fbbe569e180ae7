import type { CollectionAccess } from '../connection/access.ts'
import type { CollectionName } from '../connection/collections.ts'
import { allOf, type Filter } from '../connection/filters.ts'

interface Texts {
  name: CollectionName
  where: readonly Filter[]
  /** Reads no more texts, which may leave matches out. */
  textsMax?: number
  numbersMax: number
}

/**
 * Returns the search numbers of the rows that texts belong to, at most one more than `numbersMax`, and how many texts were
 * read. No document is read when the index decides all conditions.
 */
export async function numbersOf(
  access: CollectionAccess,
  { name, where, textsMax, numbersMax }: Texts,
): Promise<{ numbers: number[]; texts: number }> {
  const [found] = await access.pipe<{ numbers: number[]; texts: number }>(name, [
    { $match: allOf(where) },
    ...(textsMax === undefined ? [] : [{ $limit: textsMax }]),
    { $group: { _id: '$searchNumber', texts: { $sum: 1 } } },
    { $limit: numbersMax + 1 },
    { $group: { _id: null, numbers: { $push: '$_id' }, texts: { $sum: '$texts' } } },
  ])
  return found ?? { numbers: [], texts: 0 }
}
