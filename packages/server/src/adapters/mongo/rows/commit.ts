import { createIdFactory } from '@crmkit/core/vocabulary'
import type { ClientSession } from 'mongoose'
import type { Change, Write } from '../../../ports/change.ts'
import { isoTime } from '../../../shared/clock.ts'
import { passFaultPoint } from '../../../shared/fault-points.ts'
import { StorageUnavailable, UniqueConflict, VersionConflict } from '../../../storage/errors.ts'
import type { AttemptRecord } from '../../../storage/kinds/attempts.ts'
import { isOwned } from '../../../storage/kinds/derive.ts'
import type { IdempotencyRecord } from '../../../storage/kinds/idempotency.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'
import type { Document } from '../../../storage/records.ts'
import { addressUsesOfWrites } from '../../../storage/rules/address-uses.ts'
import { figureMarksOfWrites } from '../../../storage/rules/figure-marks.ts'
import type { CollectionAccess, Database } from '../connection/access.ts'
import { createKeyedMutex } from '../connection/keyed-mutex.ts'
import { orUniqueConflict } from '../connection/mongo-errors.ts'
import { inTransaction, pageSizeOf } from '../connection/transaction.ts'
import { insertAttempts } from '../deliveries/attempt-rows.ts'
import { beginErasure } from '../erasure/erase.ts'
import { findErasures, isAnyErased, noErasures, visibleRows } from '../erasure/erasures.ts'
import { writeEvents } from '../events/event-writer.ts'
import { settlePlans } from '../events/settle-plans.ts'
import { createKnownSubscriptions, isHeard, type Subscriptions } from '../events/subscriptions.ts'
import { decodeRow } from './encode-row.ts'
import { createGroupCommit, isAddition } from './group-commit.ts'
import { createRowWriter, type RowWriter } from './row-writer.ts'

type Addition = Extract<Write<Kind>, { op: 'insert' | 'ensure' }>
/** One call of the row writer. */
type WriteCall =
  | Exclude<Write<Kind>, Addition>
  | { op: 'insertAll' | 'ensureAll'; kind: Kind; rows: Document[] }

const deletedPerWebhookMax = 500
/** How long a commit waits for earlier commits of the same rows. */
const waitMaxMs = 10_000

/** Merges consecutive additions of one kind into one call. */
function writeCallsOf(writes: readonly Write<Kind>[]): WriteCall[] {
  const calls: WriteCall[] = []
  for (const write of writes) {
    if (write.op !== 'insert' && write.op !== 'ensure') {
      calls.push(write)
      continue
    }
    const op = write.op === 'insert' ? 'insertAll' : 'ensureAll'
    const last = calls.at(-1)
    const row = write.row as unknown as Document
    if (last?.op === op && last.kind === write.kind) last.rows.push(row)
    else calls.push({ op, kind: write.kind, rows: [row] })
  }
  return calls
}

/** Returns the keys of the existing rows that a change writes. */
function rowsOf(tenantId: string, { writes, expectTenantVersion }: Change<Kind>): string[] {
  const rows = writes.flatMap((write) =>
    write.op === 'insert' || write.op === 'ensure' ? [] : [JSON.stringify([tenantId, write.kind, write.id])],
  )
  if (expectTenantVersion !== undefined) rows.push(JSON.stringify([tenantId, 'tenants', tenantId]))
  return [...new Set(rows)]
}

/**
 * Deletes the first attempts of a deleted webhook; `removeExpired` deletes the rest later. All of them are hidden
 * immediately, because attempts are read and claimed only through their webhook.
 */
async function removeAttempts(
  { access, tries }: Pick<Work, 'access' | 'tries'>,
  webhookId: string,
): Promise<void> {
  const limit = pageSizeOf(tries, deletedPerWebhookMax)
  const ofWebhook = { 'row.webhookId': webhookId }
  const found = limit === 0 ? [] : await access.find('attempts', ofWebhook, { fields: ['id'], limit })
  const attempts = access.among(found.map(({ id }) => id))
  await access.remove('dueAttempts', attempts)
  await access.remove('attempts', attempts)
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

/** Returns the ids of the rows that a call writes. */
function idsOf(call: WriteCall): string[] {
  return 'rows' in call ? call.rows.map(({ _id }) => _id) : [call.id]
}

/** Throws `VersionConflict` when a row of the call exists and an erasure hides it. */
async function assertVisible(
  access: CollectionAccess,
  call: WriteCall,
  erased: ReadonlySet<string>,
): Promise<void> {
  if (!isOwned(call.kind)) return
  const rows = await access.find(call.kind, access.among(idsOf(call)))
  const visible = await visibleRows(access, call.kind, { rows, erased })
  if (visible.length === rows.length) return
  throw new VersionConflict(
    call.kind,
    'rows' in call ? undefined : { op: call.op, id: call.id, version: null },
  )
}

/** Deletes replies that an erasure hides, so that a new reply to the same request can be stored. */
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

/** Applies a call while erasures are unfinished: neither an existing nor a new row may be one that they hide. */
async function applyDuringErasure(work: Work, call: WriteCall): Promise<void> {
  const { access, rows, erased } = work
  if (!('rows' in call)) await assertVisible(access, call, erased)
  else if (call.kind === 'idempotency') await removeErasedReplies(access, rows, call.rows)
  await apply(work, call)
  await assertVisible(access, call, erased)
}

async function apply({ tenantId, access, rows, tries }: Work, call: WriteCall): Promise<void> {
  switch (call.op) {
    case 'insertAll':
      return rows.insert(call.kind, call.rows)
    case 'ensureAll':
      return rows.ensure(call.kind, call.rows)
    case 'update':
      return rows.update(call.kind, call.id, call)
    case 'patch':
      return rows.patch(call)
    case 'remove':
      await rows.remove(call.kind, call.id, call.expectVersion)
      if (call.kind === 'webhooks') await removeAttempts({ access, tries }, call.id)
      return
    case 'erase':
      return beginErasure({ tenantId, access, rows, tries }, call)
  }
}

/** Returns the writes of several changes that only add rows by kind, so that the rows of a kind are one insert. */
function writesOf(changes: readonly Change<Kind>[]): Write<Kind>[] {
  const writes = changes.flatMap((change) => change.writes)
  return changes.length === 1 ? writes : [...Map.groupBy(writes, ({ kind }) => kind).values()].flat()
}

/**
 * Where the database has answered meanwhile, many changes of one row were in front. They have changed it since this change read it,
 * so it need not be tried to know that it conflicts.
 */
function waitedTooLong({ writes }: Change<Kind>, { hasAnswered }: { hasAnswered: boolean }): Error {
  const versioned = hasAnswered && writes.find((write) => 'expectVersion' in write)
  return versioned
    ? new VersionConflict(versioned.kind)
    : new StorageUnavailable('commits of the same row took too long')
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

function isOfWebhook({ kind }: Write<Kind>): boolean {
  return kind === 'webhooks'
}

/** Returns whether a change was decided on other webhooks than those by which its attempts are planned. */
function isDecidedOnOthers({ expectHeard }: Change<Kind>, subscriptions: Subscriptions): boolean {
  return expectHeard !== undefined && isHeard(subscriptions, expectHeard.type) !== expectHeard.isHeard
}

function isTouchedByErasures({ kind }: Write<Kind>): boolean {
  return isOwned(kind) || kind === 'idempotency'
}

/** Applies a change as a whole or not at all; returns how many deliveries its events cause. */
export function createCommit(database: Database, known = createKnownSubscriptions(), waitMs = waitMaxMs) {
  const exclusively = createKeyedMutex()
  const ids = createIdFactory(() => Date.now())

  /** Writes the rows and then the events of changes, in this order; returns how many deliveries each causes. */
  async function writeAll(
    tenantId: string,
    changes: readonly Change<Kind>[],
    { session, tries }: Try,
  ): Promise<number[]> {
    const access = database.tenant(tenantId, session)
    const rows = createRowWriter(tenantId, (id) => database.tenant(id, session))
    const subscriptionsNow = known.begin(tenantId)
    const given = writesOf(changes)
    const marks = figureMarksOfWrites({ tenantId, ids, at: isoTime(Date.now()) }, given)
    const writes = [...given, ...addressUsesOfWrites(tenantId, given), ...marks]
    const isChanged = writes.some(isOfWebhook)
    const added = isChanged ? await settlePlans(access, tenantId) : 0
    const erased = writes.some(isTouchedByErasures) ? await findErasures(access) : noErasures
    for (const call of writeCallsOf(writes)) {
      const work = { tenantId, access, rows, erased, tries }
      await (erased.size === 0 ? apply(work, call) : applyDuringErasure(work, call))
    }
    const events = changes.flatMap((change) => change.events)
    const subscriptions = events.length > 0 && (await subscriptionsNow(access, { isChanged }))
    if (subscriptions && changes.some((change) => isDecidedOnOthers(change, subscriptions)))
      throw new VersionConflict('webhooks')
    const deliveries = subscriptions
      ? await writeEvents(access, events, { tenantId, ids, subscriptions })
      : []
    passFaultPoint('during-group-commit')
    const counts = changes.map((change) => sumOf(deliveries.splice(0, change.events.length)))
    return counts.map((count, index) => (index === 0 ? count + added : count))
  }

  async function write(tenantId: string, change: Change<Kind>, { session, tries }: Try): Promise<number> {
    const access = database.tenant(tenantId, session)
    const { expectTenantVersion: expectVersion } = change
    if (expectVersion !== undefined) {
      const rows = createRowWriter(tenantId, (id) => database.tenant(id, session))
      await rows.update('tenants', tenantId, { expectVersion, set: {} })
    }
    const [deliveries = 0] = await writeAll(tenantId, [change], { session, tries })
    const planned = change.attempts ?? []
    await planAttempts(access, tenantId, planned)
    if (planned.length > 0) passFaultPoint('during-recover')
    return deliveries + planned.length
  }

  const alone = (tenantId: string, change: Change<Kind>) =>
    inTransaction(database, (session, tries) => write(tenantId, change, { session, tries }))
  const grouped = createGroupCommit({
    alone,
    together: (tenantId, changes, markWritten) =>
      inTransaction(database, async (session, tries) => {
        markWritten(false)
        const deliveries = await writeAll(tenantId, changes, { session, tries })
        markWritten(true)
        return deliveries
      }),
  })

  /** The last commit that waited for its rows and succeeded. */
  let answeredAt = 0

  async function commit(tenantId: string, change: Change<Kind>): Promise<number> {
    if (isAddition(change)) return grouped(tenantId, change)
    const beganAt = Date.now()
    return exclusively(rowsOf(tenantId, change), async () => {
      // Each earlier commit may have retried until its own limit: do not wait for all of them.
      if (Date.now() > beganAt + waitMs) throw waitedTooLong(change, { hasAnswered: answeredAt > beganAt })
      const deliveries = await alone(tenantId, change)
      answeredAt = Date.now()
      return deliveries
    })
  }
  return async (tenantId: string, change: Change<Kind>): Promise<number> => {
    const { writes, events, attempts = [] } = change
    if (writes.length + events.length + attempts.length === 0) return 0
    try {
      return await commit(tenantId, change)
    } finally {
      if (writes.some(isOfWebhook)) known.forget(tenantId)
    }
  }
}
