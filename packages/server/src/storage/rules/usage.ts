import type { UsageIncrement } from '../../ports/storage.ts'
import type { UsageRecord } from '../kinds/usage.ts'

const monthsKept = 24

/** The first day of the month in which nobody may ask for this one any more. */
function endOf(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + monthsKept + 1, 1)).toISOString()
}

/** The row that an increment counts up, with its requests: there is one for each month, credential, method and path. */
export function usageRow({ tenantId, month, apiKeyId, method, path, requests }: UsageIncrement): UsageRecord {
  const _id = [month, apiKeyId ?? '', method, path].join(' ')
  return { _id, tenantId, month, apiKeyId: apiKeyId ?? '', method, path, requests, expiresAt: endOf(month) }
}
