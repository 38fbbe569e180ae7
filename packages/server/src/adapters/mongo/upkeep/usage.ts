import type { RequestMetricsIncrement, UsageIncrement } from '../../../ports/system-store.ts'
import { UniqueConflict } from '../../../storage/errors.ts'
import type { RequestMetricsRecord } from '../../../storage/kinds/request-metrics.ts'
import type { UsageRecord } from '../../../storage/kinds/usage.ts'
import { withMetrics } from '../../../storage/rules/request-metrics.ts'
import { usageRow } from '../../../storage/rules/usage.ts'
import type { CollectionAccess, Database } from '../connection/access.ts'
import { orUniqueConflict } from '../connection/mongo-errors.ts'
import { decodeRow, encodeRow } from '../rows/encode-row.ts'

async function countUp(access: CollectionAccess, { _id, requests }: UsageRecord): Promise<boolean> {
  return (await access.update('usage', access.one(_id), { $inc: { 'row.requests': requests } })) > 0
}

async function addOne(access: CollectionAccess, increment: UsageIncrement): Promise<void> {
  const row = usageRow(increment)
  if (await countUp(access, row)) return
  try {
    await orUniqueConflict(
      'usage',
      access.insert('usage', [{ id: row._id, version: 1, row: encodeRow(row) }]),
    )
  } catch (error) {
    // Another process inserted the row at the same moment.
    if (!(error instanceof UniqueConflict)) throw error
    await countUp(access, row)
  }
}

/** Increments row by row, without a transaction, because no two rows have to agree. */
export async function addUsage(
  database: Database,
  increments: readonly UsageIncrement[],
): Promise<readonly UsageIncrement[]> {
  const outcomes = await Promise.allSettled(
    increments.map((increment) => addOne(database.tenant(increment.tenantId), increment)),
  )
  return increments.filter((_, index) => outcomes[index]?.status === 'rejected')
}

export async function listUsage(
  access: CollectionAccess,
  { month, apiKeyId }: { month: string; apiKeyId: string | null },
): Promise<UsageRecord[]> {
  const found = await access.find('usage', { 'row.month': month, 'row.apiKeyId': apiKeyId ?? '' })
  return found.map(({ row }) => decodeRow<UsageRecord>(row))
}

/** Adds to the row of a month, again on the fresh row for as long as another process changes it in between. */
async function addMetrics(access: CollectionAccess, increment: RequestMetricsIncrement): Promise<void> {
  const ofMonth = access.one(increment.month)
  for (;;) {
    const [found] = await access.find('requestMetrics', ofMonth)
    const row = withMetrics(found && decodeRow<RequestMetricsRecord>(found.row), increment)
    if (found === undefined) {
      const made = { id: row._id, version: 1, row: encodeRow(row) }
      const conflict = await orUniqueConflict(
        'requestMetrics',
        access.insert('requestMetrics', [made]),
      ).catch((error: unknown) => error)
      if (conflict === undefined) return
      if (!(conflict instanceof UniqueConflict)) throw conflict
    } else {
      const { version } = found
      const $set = { row: encodeRow(row), version: version + 1 }
      if ((await access.update('requestMetrics', { ...ofMonth, version }, { $set })) > 0) return
    }
  }
}

/** As `addUsage`: row by row, without a transaction. */
export async function addRequestMetrics(
  database: Database,
  increments: readonly RequestMetricsIncrement[],
): Promise<readonly RequestMetricsIncrement[]> {
  const outcomes = await Promise.allSettled(
    increments.map((increment) => addMetrics(database.tenant(increment.tenantId), increment)),
  )
  return increments.filter((_, index) => outcomes[index]?.status === 'rejected')
}

export async function findMetrics(
  access: CollectionAccess,
  month: string,
): Promise<RequestMetricsRecord | undefined> {
  const [found] = await access.find('requestMetrics', access.one(month))
  return found && decodeRow<RequestMetricsRecord>(found.row)
}
