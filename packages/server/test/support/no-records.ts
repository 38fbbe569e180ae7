import type { ErasureRecords } from '../../src/ports/erasure-ledger.ts'

/** For tests of tasks that are about no ledger of erasures. */
export const noRecords: ErasureRecords = { record: async () => {}, forget: () => {} }
