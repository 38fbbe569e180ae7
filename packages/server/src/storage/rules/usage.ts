import type { UsageIncrement } from '../../ports/system-store.ts'
import type { UsageRecord } from '../kinds/usage.ts'

/** How many months back counts are stored, besides those of the current month. */
export const usageMonthsMax = 24

/** Returns when the counts of a month are deleted: the first moment at which it is too long ago to be asked for. */
export function endOfUsage(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + usageMonthsMax + 1, 1)).toISOString()
}

/** The row that an increment counts up, with its requests: there is one for each month, credential, method and path. */
export function usageRow({ tenantId, month, apiKeyId, method, path, requests }: UsageIncrement): UsageRecord {
  const _id = [month, apiKeyId ?? '', method, path].join(' ')
  return {
    _id,
    tenantId,
    month,
    apiKeyId: apiKeyId ?? '',
    method,
    path,
    requests,
    expiresAt: endOfUsage(month),
  }
}
