import type { CustomerRecord } from '../kinds/customers.ts'
import type { Stored } from '../records.ts'

/** Returns each customer once, oldest first. */
export function oldestFirst(rows: readonly Stored<CustomerRecord>[]): Stored<CustomerRecord>[] {
  const keyOf = ({ createdAt, _id }: CustomerRecord) => `${createdAt} ${_id}`
  const once = [...new Map(rows.map((row) => [row._id, row])).values()]
  return once.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}
