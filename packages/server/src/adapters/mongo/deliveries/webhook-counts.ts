import type { WebhookCounts } from '../../../storage/kinds/attempts.ts'
import type { AttemptResult } from '../../../storage/records.ts'
import { type CountsChange, countsChanges } from '../../../storage/rules/webhook-counts.ts'
import type { CollectionAccess, Database } from '../connection/access.ts'
import { decodeRow, encodeRow } from '../rows/encode-row.ts'

/** Returns the rule of `changedCounts` as one update stage, so that several workers can count for one webhook at once. */
function countStage({ webhookId, failures, failingSince, ...change }: CountsChange): object[] {
  const isReset = change.lastSuccessAt !== null
  const known = (field: string) => ({ $ifNull: [`$row.${field}`, null] })
  const set: Record<string, unknown> = {
    'row.webhookId': { $literal: webhookId },
    'row.consecutiveFailures': isReset
      ? failures
      : { $add: [{ $ifNull: ['$row.consecutiveFailures', 0] }, failures] },
    'row.failingSince': isReset ? failingSince : { $ifNull: ['$row.failingSince', failingSince] },
    'row.lastSuccessAt': change.lastSuccessAt ?? known('lastSuccessAt'),
    'row.lastFailureAt': change.lastFailureAt ?? known('lastFailureAt'),
  }
  return [{ $set: set }]
}

/**
 * Counts results after their commit and not in it: the transactions of workers that deliver to one webhook would
 * conflict. A crash between the two may leave a few results uncounted, but never unwritten.
 */
export async function countResults(database: Database, results: readonly AttemptResult[]): Promise<void> {
  const changes = countsChanges(results)
  const refs = changes.map(({ tenantId, webhookId }) => ({ tenantId, id: webhookId }))
  const webhooks = await database.across().findByRefs('webhooks', refs, ['tenantId', 'id'])
  const isThere = new Set(webhooks.map(({ tenantId, id }) => JSON.stringify([tenantId, id])))
  const upserts = changes
    .map((change) => ({
      ref: { tenantId: change.tenantId, id: change.webhookId },
      update: countStage(change),
    }))
    .filter(({ ref }) => isThere.has(JSON.stringify([ref.tenantId, ref.id])))
  await database.across().upsertEachByRef('webhookCounts', upserts)
}

export async function insertCounts(
  access: CollectionAccess,
  counts: readonly WebhookCounts[],
): Promise<void> {
  const rows = counts.map(
    ({ webhookId, consecutiveFailures, failingSince, lastSuccessAt, lastFailureAt }) => ({
      id: webhookId,
      row: encodeRow({ webhookId, consecutiveFailures, failingSince, lastSuccessAt, lastFailureAt }),
    }),
  )
  await access.insert('webhookCounts', rows)
}

export async function readCounts(access: CollectionAccess, ids: readonly string[]): Promise<WebhookCounts[]> {
  const rows = await access.find('webhookCounts', access.among(ids))
  return rows.map(({ row }) => decodeRow<WebhookCounts>(row))
}
