import { createIdFactory } from '@crmkit/core/vocabulary'
import type { ClientSession } from 'mongoose'
import type { AttemptRecord, Kind } from '../../ports/records.ts'
import {
  type Change,
  StorageUnavailable,
  UniqueConflict,
  VersionConflict,
  type Write,
} from '../../ports/storage.ts'
import type { Document } from '../../ports/storage-rules/rows.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import { insertAttempts } from './attempt-rows.ts'
import { erase } from './erase.ts'
import { writeEvents } from './event-writer.ts'
import { orUniqueConflict } from './mongo-errors.ts'
import { createRowWriter, type RowWriter } from './row-writer.ts'
import type { Database, Reach } from './scope.ts'
import { inTransaction } from './transaction.ts'
import { createTurns } from './turns.ts'

type Insert = Extract<Write<Kind>, { op: 'insert' }>
type Step = Exclude<Write<Kind>, Insert> | { op: 'insertAll'; kind: Kind; rows: Document[] }

const deletedPerWebhookMax = 500
/** How long a commit stands in line behind others of its rows. */
const waitMaxMs = 10_000

/** Rows of one kind that follow each other are written in one call. */
function stepsOf(writes: readonly Write<Kind>[]): Step[] {
  const steps: Step[] = []
  for (const write of writes) {
    if (write.op !== 'insert') {
      steps.push(write)
      continue
    }
    const last = steps.at(-1)
    const row = write.row as unknown as Document
    if (last?.op === 'insertAll' && last.kind === write.kind) last.rows.push(row)
    else steps.push({ op: 'insertAll', kind: write.kind, rows: [row] })
  }
  return steps
}

/** The rows that a change touches and that were there before it. */
function rowsOf(tenantId: string, { writes, expectTenantVersion }: Change<Kind>): string[] {
  const rows = writes.flatMap((write) =>
    write.op === 'insert' ? [] : [JSON.stringify([tenantId, write.kind, write.id])],
  )
  if (expectTenantVersion !== undefined) rows.push(JSON.stringify([tenantId, 'tenants', tenantId]))
  return [...new Set(rows)]
}

/**
 * The attempts of a removed webhook are out of reach at once, since they are only read and claimed through
 * it. The first go with it, the rest with the next rounds of `removeExpired`.
 */
async function removeAttempts(reach: Reach, webhookId: string): Promise<void> {
  const found = await reach.find(
    'attempts',
    { 'row.webhookId': webhookId },
    { fields: ['id'], limit: deletedPerWebhookMax },
  )
  const gone = reach.among(found.map(({ id }) => id))
  await reach.remove('dueAttempts', gone)
  await reach.remove('attempts', gone)
  await reach.remove('removedWebhooks', reach.one(webhookId))
  await reach.insert('removedWebhooks', [{ id: webhookId }])
  await reach.remove('webhookCounts', reach.one(webhookId))
}

async function planAttempts(
  reach: Reach,
  tenantId: string,
  attempts: readonly AttemptRecord[],
): Promise<void> {
  if (attempts.some((attempt) => attempt.tenantId !== tenantId)) {
    throw new TypeError('the attempt names another tenant')
  }
  try {
    await orUniqueConflict('webhooks', insertAttempts(reach, attempts))
  } catch (error) {
    throw error instanceof UniqueConflict ? new VersionConflict('webhooks') : error
  }
}

async function apply(reach: Reach, rows: RowWriter, step: Step): Promise<void> {
  switch (step.op) {
    case 'insertAll':
      return rows.insert(step.kind, step.rows)
    case 'update':
      return rows.update(step.kind, step.id, step)
    case 'patch':
      return rows.patch(step)
    case 'remove':
      await rows.remove(step.kind, step.id)
      if (step.kind === 'webhooks') await removeAttempts(reach, step.id)
      return
    case 'erase':
      return erase(reach, rows, step)
  }
}

/** Makes all of a change or nothing of it; answers how many deliveries its events made. */
export function createCommit(database: Database) {
  const inTurn = createTurns()
  const ids = createIdFactory(() => Date.now())

  async function write(tenantId: string, change: Change<Kind>, session: ClientSession): Promise<number> {
    const reach = database.tenant(tenantId, session)
    const rows = createRowWriter(tenantId, (id) => database.tenant(id, session))
    const { expectTenantVersion: expectVersion } = change
    if (expectVersion !== undefined) await rows.update('tenants', tenantId, { expectVersion, set: {} })
    for (const step of stepsOf(change.writes)) await apply(reach, rows, step)
    const deliveries = await writeEvents(reach, change.events, { tenantId, ids })
    const planned = change.attempts ?? []
    await planAttempts(reach, tenantId, planned)
    if (planned.length > 0) passFaultPoint('during-recover')
    passFaultPoint('during-group-commit')
    return deliveries + planned.length
  }

  return async (tenantId: string, change: Change<Kind>): Promise<number> => {
    const { writes, events, attempts = [] } = change
    if (writes.length + events.length + attempts.length === 0) return 0
    const giveUpAt = Date.now() + waitMaxMs
    return inTurn(rowsOf(tenantId, change), () => {
      // Each of those before it may have tried for as long as it may: nobody waits for all of them.
      if (Date.now() > giveUpAt) throw new StorageUnavailable('commits of the same row took too long')
      return inTransaction(database, (session) => write(tenantId, change, session))
    })
  }
}
