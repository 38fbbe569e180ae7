import { createIdFactory } from '@crmkit/core/vocabulary'
import type { ClientSession } from 'mongoose'
import type { Change, Write } from '../../../ports/change.ts'
import { passFaultPoint } from '../../../shared/fault-points.ts'
import { StorageUnavailable, UniqueConflict, VersionConflict } from '../../../storage/errors.ts'
import type { AttemptRecord } from '../../../storage/kinds/attempts.ts'
import { isOwned } from '../../../storage/kinds/derive.ts'
import type { IdempotencyRecord } from '../../../storage/kinds/idempotency.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'
import type { Document } from '../../../storage/rules/rows.ts'
import { orUniqueConflict } from '../connection/mongo-errors.ts'
import type { CollectionAccess, Database } from '../connection/scope.ts'
import { inTransaction, pageSizeOf } from '../connection/transaction.ts'
import { createTurns } from '../connection/turns.ts'
import { insertAttempts } from '../deliveries/attempt-rows.ts'
import { beginErasure } from '../erasure/erase.ts'
import { findErasures, isAnyErased, noErasures, rowsInSight } from '../erasure/erasures.ts'
import { writeEvents } from '../events/event-writer.ts'
import { decodeRow } from './encode-row.ts'
import { createRowWriter, type RowWriter } from './row-writer.ts'

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
async function removeAttempts(
  { access, tries }: Pick<Work, 'access' | 'tries'>,
  webhookId: string,
): Promise<void> {
  const limit = pageSizeOf(tries, deletedPerWebhookMax)
  const ofWebhook = { 'row.webhookId': webhookId }
  const found = limit === 0 ? [] : await access.find('attempts', ofWebhook, { fields: ['id'], limit })
  const gone = access.among(found.map(({ id }) => id))
  await access.remove('dueAttempts', gone)
  await access.remove('attempts', gone)
  await access.remove('removedWebhooks', access.one(webhookId))
  await access.insert('removedWebhooks', [{ id: webhookId }])
  await access.remove('webhookCounts', access.one(webhookId))
}

async function planAttempts(
  access: CollectionAccess,
  tenantId: string,
  attempts: readonly AttemptRecord[],
): Promise<void> {
  if (attempts.some((attempt) => attempt.tenantId !== tenantId)) {
    throw new TypeError('the attempt names another tenant')
  }
  try {
    await orUniqueConflict('webhooks', insertAttempts(access, attempts))
  } catch (error) {
    throw error instanceof UniqueConflict ? new VersionConflict('webhooks') : error
  }
}

/** The rows that a step names, and those that it makes. */
function idsOf(step: Step): string[] {
  return step.op === 'insertAll' ? step.rows.map(({ _id }) => _id) : [step.id]
}

/** `VersionConflict` for rows that are there and out of sight. */
async function assertInSight(
  access: CollectionAccess,
  step: Step,
  erased: ReadonlySet<string>,
): Promise<void> {
  if (!isOwned(step.kind)) return
  const rows = await access.find(step.kind, access.among(idsOf(step)))
  const inSight = await rowsInSight(access, step.kind, { rows, erased })
  if (inSight.length < rows.length) throw new VersionConflict(step.kind)
}

/** Replies that nobody can see any more make room for those to the same requests, made anew. */
async function removeErasedReplies(
  access: CollectionAccess,
  rows: RowWriter,
  made: readonly Document[],
): Promise<void> {
  const erased = await findErasures(access)
  for (const { _id } of made) {
    const [found] = await access.find('idempotency', access.one(_id))
    const reply = found && decodeRow<IdempotencyRecord>(found.row)
    if (reply && (await isAnyErased(access, reply.subjects, erased)))
      await rows.removeAll('idempotency', [_id])
  }
}

interface Try {
  session: ClientSession
  tries: number
}

interface Work {
  tenantId: string
  access: CollectionAccess
  rows: RowWriter
  erased: ReadonlySet<string>
  tries: number
}

async function applyAmongErasures(work: Work, step: Step): Promise<void> {
  const { access, rows, erased } = work
  if (step.op !== 'insertAll') await assertInSight(access, step, erased)
  else if (step.kind === 'idempotency') await removeErasedReplies(access, rows, step.rows)
  await apply(work, step)
  await assertInSight(access, step, erased)
}

async function apply({ tenantId, access, rows, tries }: Work, step: Step): Promise<void> {
  switch (step.op) {
    case 'insertAll':
      return rows.insert(step.kind, step.rows)
    case 'update':
      return rows.update(step.kind, step.id, step)
    case 'patch':
      return rows.patch(step)
    case 'remove':
      await rows.remove(step.kind, step.id)
      if (step.kind === 'webhooks') await removeAttempts({ access, tries }, step.id)
      return
    case 'erase':
      return beginErasure({ tenantId, access, rows, tries }, step)
  }
}

function isTouchedByErasures({ kind }: Write<Kind>): boolean {
  return isOwned(kind) || kind === 'idempotency'
}

/** Makes all of a change or nothing of it; answers how many deliveries its events made. */
export function createCommit(database: Database) {
  const inTurn = createTurns()
  const ids = createIdFactory(() => Date.now())

  async function write(tenantId: string, change: Change<Kind>, { session, tries }: Try): Promise<number> {
    const access = database.tenant(tenantId, session)
    const rows = createRowWriter(tenantId, (id) => database.tenant(id, session))
    const { expectTenantVersion: expectVersion } = change
    if (expectVersion !== undefined) await rows.update('tenants', tenantId, { expectVersion, set: {} })
    const erased = change.writes.some(isTouchedByErasures) ? await findErasures(access) : noErasures
    for (const step of stepsOf(change.writes)) {
      const work = { tenantId, access, rows, erased, tries }
      await (erased.size === 0 ? apply(work, step) : applyAmongErasures(work, step))
    }
    const deliveries = await writeEvents(access, change.events, { tenantId, ids })
    const planned = change.attempts ?? []
    await planAttempts(access, tenantId, planned)
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
      return inTransaction(database, (session, tries) => write(tenantId, change, { session, tries }))
    })
  }
}
