import type { Lease, LeaseClaim, SystemStore } from '../../../ports/system-store.ts'
import { leaseBounds } from '../../../storage/rules/leases.ts'
import type { Database } from '../connection/access.ts'
import { trusted } from '../connection/filters.ts'
import { isTaken } from '../connection/mongo-errors.ts'

export function createLeases(database: Database) {
  const access = database.tenant('')
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
      // Every process asks each second for a lease that another one holds: a read costs less than a write that is refused.
      const held = (await access.findOne('leases', name))?.keys
      const end = String(held?.['until'])
      if (held && held['holder'] !== holder && end > now && end <= implausibleAfter) return false
      if ((await access.update('leases', { ...access.one(name), $or: isFree }, { $set: { keys } })) === 1)
        return true
      try {
        await access.insert('leases', [{ id: name, keys }])
        return true
      } catch (error) {
        if (isTaken(error)) return false
        throw error
      }
    },
    async release({ name, holder }: Lease): Promise<void> {
      await access.remove('leases', { ...access.one(name), 'keys.holder': holder })
    },
    async listEnded({
      prefix,
      now,
      limit,
    }: Parameters<SystemStore['listEndedLeases']>[0]): Promise<string[]> {
      const isNamed = { id: trusted({ $gte: prefix, $lt: `${prefix}\uffff` }) }
      const hasEnded = { 'keys.until': trusted({ $lte: now }) }
      const found = await access.find('leases', { ...isNamed, ...hasEnded }, { limit })
      return found.map(({ id }) => id.slice(prefix.length))
    },
  }
}
