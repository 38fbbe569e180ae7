import type { Lease, LeaseClaim } from '../../../ports/storage.ts'
import { leaseBounds } from '../../../storage/rules/leases.ts'
import { trusted } from '../connection/filters.ts'
import { isTaken } from '../connection/mongo-errors.ts'
import type { Database } from '../connection/scope.ts'

export function createLeases(database: Database) {
  const reach = database.tenant('')
  return {
    async take(claim: LeaseClaim): Promise<boolean> {
      const { name, holder, now } = claim
      const { until, implausibleAfter } = leaseBounds(claim)
      const isFree = [
        { 'keys.holder': holder },
        { 'keys.until': trusted({ $lte: now }) },
        { 'keys.until': trusted({ $gt: implausibleAfter }) },
      ]
      const keys = { holder, until }
      if ((await reach.update('leases', { ...reach.one(name), $or: isFree }, { $set: { keys } })) === 1)
        return true
      try {
        await reach.insert('leases', [{ id: name, keys }])
        return true
      } catch (error) {
        if (isTaken(error)) return false
        throw error
      }
    },
    async release({ name, holder }: Lease): Promise<void> {
      await reach.remove('leases', { ...reach.one(name), 'keys.holder': holder })
    },
  }
}
