import type { ClientSession } from 'mongoose'
import { passFaultPoint } from '../../../shared/fault-points.ts'
import type { AttemptRecord } from '../../../storage/kinds/attempts.ts'
import type { AttemptResult } from '../../../storage/records.ts'
import { attemptOutcome, followingAttempt } from '../../../storage/rules/attempts.ts'
import { type Across, type Database, type RefUpdate, type RowRef, refKey } from '../connection/access.ts'
import { inTransaction } from '../connection/transaction.ts'
import { decodeRow, encodeRow } from '../rows/encode-row.ts'
import { insertAttempts } from './attempt-rows.ts'

/** A result came after its lease, or its attempt has one already. */
class ResultsDiffer extends Error {}

function refOf({ tenantId, attemptId }: AttemptResult): RowRef {
  return { tenantId, id: attemptId }
}

function keyOf(result: AttemptResult): string {
  return refKey(refOf(result))
}

function outcomeUpdate(result: AttemptResult): RefUpdate {
  const outcome = Object.entries(encodeRow(attemptOutcome(result)))
  const $set = Object.fromEntries(outcome.map(([field, value]) => [`row.${field}`, value]))
  return { ref: refOf(result), where: { 'row.status': 'pending' }, update: { $set } }
}

/** Ends the leases of all results. Throws when one of them is over: deleting the due row decides which process writes a result. */
async function takeAll(across: Across, results: readonly AttemptResult[]): Promise<void> {
  const ofTokens = Map.groupBy(results, ({ lockToken }) => lockToken)
  const groups = [...ofTokens].map(([lockToken, ofToken]) => ({
    refs: ofToken.map(refOf),
    where: { 'keys.lockToken': lockToken },
  }))
  if ((await across.removeGroups('dueAttempts', groups)) < results.length) throw new ResultsDiffer()
}

/** Returns the results whose lease still holds and whose attempts are pending, and ends their leases. */
async function takeHeld(across: Across, results: readonly AttemptResult[]): Promise<AttemptResult[]> {
  const due = await across.findByRefs('dueAttempts', results.map(refOf))
  const tokens = new Map(due.map((row) => [refKey(row), row.keys?.['lockToken']]))
  const held = results.filter((result) => {
    const key = keyOf(result)
    return tokens.get(key) === result.lockToken && tokens.delete(key)
  })
  await across.removeByRefs('dueAttempts', held.map(refOf))
  const attempts = await across.findByRefs('attempts', held.map(refOf), ['tenantId', 'id', 'row.status'])
  const pending = new Set(attempts.filter(({ row }) => row['status'] === 'pending').map(refKey))
  return held.filter((result) => pending.has(keyOf(result)))
}

async function planRetries(
  database: Database,
  results: readonly AttemptResult[],
  session: ClientSession,
): Promise<void> {
  const failed = results.filter(({ next }) => next !== null)
  const rows = await database.across(session).findByRefs('attempts', failed.map(refOf))
  const attempts = new Map(rows.map((found) => [refKey(found), decodeRow<AttemptRecord>(found.row)]))
  const retries = failed.flatMap((result) => {
    const attempt = attempts.get(keyOf(result))
    return (attempt && followingAttempt(attempt, result)) ?? []
  })
  for (const [tenantId, ofTenant] of Map.groupBy(retries, (retry) => retry.tenantId)) {
    await insertAttempts(database.tenant(tenantId, session), ofTenant)
  }
}

async function writeTaken(
  database: Database,
  results: readonly AttemptResult[],
  session: ClientSession,
): Promise<void> {
  // Before its result: the following attempt is made from the one before as it was.
  await planRetries(database, results, session)
  const written = await database.across(session).updateEachByRef('attempts', results.map(outcomeUpdate))
  if (written < results.length) throw new ResultsDiffer()
  if (results.length > 0) passFaultPoint('during-result-commit')
}

/** Nearly always every lease holds and every attempt is pending: then neither is read. */
async function writeAll(
  database: Database,
  results: readonly AttemptResult[],
): Promise<readonly AttemptResult[]> {
  await inTransaction(database, async (session) => {
    await takeAll(database.across(session), results)
    await writeTaken(database, results, session)
  })
  return results
}

/** Writes results in one transaction, each with its retry; returns those whose lease still held. */
export async function writeResults(
  database: Database,
  results: readonly AttemptResult[],
): Promise<readonly AttemptResult[]> {
  try {
    return await writeAll(database, results)
  } catch (error) {
    if (!(error instanceof ResultsDiffer)) throw error
  }
  return inTransaction(database, async (session) => {
    const taken = await takeHeld(database.across(session), results)
    await writeTaken(database, taken, session)
    return taken
  })
}
