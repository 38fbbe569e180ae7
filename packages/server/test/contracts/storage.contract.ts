import { describe } from 'vitest'
import { describeAcross } from './storage/across.contract.ts'
import { describeDeliveries } from './storage/deliveries.contract.ts'
import { describeErasure } from './storage/erasure.contract.ts'
import { describeErasurePages } from './storage/erasure-pages.contract.ts'
import { describeEventLog } from './storage/event-log.contract.ts'
import type { Open } from './storage/harness.contract.ts'
import { describeIsolation } from './storage/isolation.contract.ts'
import { describeKinds } from './storage/kinds.contract.ts'
import { describeLabelCounts } from './storage/label-counts.contract.ts'
import { describeLeases } from './storage/leases.contract.ts'
import { describeLists } from './storage/lists.contract.ts'
import { describeMatches } from './storage/matches.contract.ts'
import { describeRoundTrips, describeWrites } from './storage/rows.contract.ts'
import { describeSearch } from './storage/search.contract.ts'
import { describeSetbacks } from './storage/setbacks.contract.ts'
import { describeUpkeep } from './storage/upkeep.contract.ts'

/** The contract of every storage adapter. `open` gives an empty storage that nothing else uses. */
export function describeStorageContract(name: string, open: Open): void {
  describe(`${name} fulfils the contract of a storage`, () => {
    describeKinds(open)
    describeAcross(open)
    describeRoundTrips(open)
    describeWrites(open)
    describeLists(open)
    describeLabelCounts(open)
    describeSearch(open)
    describeMatches(open)
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
