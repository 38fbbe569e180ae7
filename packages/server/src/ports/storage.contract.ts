import { describe } from 'vitest'
import { describeDeliveries } from './storage-contract/deliveries.contract.ts'
import { describeErasure } from './storage-contract/erasure.contract.ts'
import { describeErasurePages } from './storage-contract/erasure-pages.contract.ts'
import { describeEventLog } from './storage-contract/event-log.contract.ts'
import type { Open } from './storage-contract/harness.contract.ts'
import { describeIsolation } from './storage-contract/isolation.contract.ts'
import { describeLeases } from './storage-contract/leases.contract.ts'
import { describeLists } from './storage-contract/lists.contract.ts'
import { describeRoundTrips, describeWrites } from './storage-contract/rows.contract.ts'
import { describeSearch } from './storage-contract/search.contract.ts'
import { describeSetbacks } from './storage-contract/setbacks.contract.ts'
import { describeUpkeep } from './storage-contract/upkeep.contract.ts'

/** What every storage adapter promises. `open` gives an empty storage that nothing else uses. */
export function describeStorageContract(name: string, open: Open): void {
  describe(`${name} keeps the promise of a storage`, () => {
    describeRoundTrips(open)
    describeWrites(open)
    describeLists(open)
    describeSearch(open)
    describeDeliveries(open)
    describeSetbacks(open)
    describeErasure(open)
    describeErasurePages(open)
    describeEventLog(open)
    describeLeases(open)
    describeUpkeep(open)
    describeIsolation(open)
  })
}
