import type { SystemStore } from '../../../ports/system-store.ts'
import type { TenantId } from '../../../storage/records.ts'
import type { CollectionAccess, Database, RowRef } from '../connection/access.ts'
import { type Filter, trusted } from '../connection/filters.ts'
import { isTaken } from '../connection/mongo-errors.ts'
import { type StampedRef, stampOf } from './settle-plans.ts'

/*
 * Events get their positions after the commit: a counter that every commit raises would make all commits wait for each
 * other. Positions are given in batches, each with three writes: the plan (which events get which positions), the
 * events themselves, and `visible`, up to which readers read. A plan is made only when the previous one is visible, and
 * every sequencer that finds an unfinished plan finishes it: the same events get the same positions, however late and
 * by whichever process. So a sequencer may die or be suspended at any point, and no open transaction blocks others.
 */

/** The keys of an event until it has its position. */
export const withoutPosition = { isNew: 1 }

const rowId = 'log'

interface Progress {
  /** Everything up to here can be read. */
  visible: number
  /** Equal to `visible`, or the end of the plan that is being carried out. */
  planned: number
  plan: RowRef[]
}

async function readProgress(access: CollectionAccess): Promise<Progress | undefined> {
  // Readers of all tenants that are woken together share the command.
  const found = await access.findOne('eventSequence', rowId)
  const { visible, planned, plan } = found?.keys ?? {}
  if (typeof visible !== 'number' || typeof planned !== 'number') return undefined
  return { visible, planned, plan: JSON.parse(String(plan)) as RowRef[] }
}

/** Returns the position up to which the log can be read. */
export async function readVisible(database: Database): Promise<number> {
  return (await readProgress(database.tenant('')))?.visible ?? 0
}

/** Returns how many events of a plan cannot be read yet: they get their positions before readers may read up to them. */
export async function countPlanned(database: Database): Promise<number> {
  const { visible, planned } = (await readProgress(database.tenant(''))) ?? { visible: 0, planned: 0 }
  return planned - visible
}

/** Begins the sequence: the next event gets the position after `given`. */
export async function beginSequence(access: CollectionAccess, given: number): Promise<void> {
  const keys = { visible: given, planned: given, plan: '[]' }
  await access.insert('eventSequence', [{ id: rowId, keys }])
}

async function begin(access: CollectionAccess): Promise<Progress> {
  try {
    await beginSequence(access, 0)
  } catch (error) {
    if (!isTaken(error)) throw error
  }
  return (await readProgress(access)) ?? { visible: 0, planned: 0, plan: [] }
}

/** Moves the progress on from exactly `from`; returns false when another sequencer has moved it already. */
async function advance(access: CollectionAccess, from: Progress, to: Progress): Promise<boolean> {
  const { visible, planned } = from
  const $set = {
    'keys.visible': to.visible,
    'keys.planned': to.planned,
    'keys.plan': JSON.stringify(to.plan),
  }
  const filter = { ...access.one(rowId), 'keys.visible': visible, 'keys.planned': planned }
  return (await access.update('eventSequence', filter, { $set })) === 1
}

/** Writes the positions of the plan. Returns the progress afterwards; undefined when another sequencer was faster. */
async function carryOut(database: Database, progress: Progress): Promise<Progress | undefined> {
  const { visible, planned, plan } = progress
  if (visible === planned) return progress
  const across = database.across()
  // An event that has its position already, by another sequencer with the same plan, stays as it is.
  await across.updateByRefs('events', plan, {
    where: { 'keys.isNew': 1 },
    update: [
      { $set: { 'keys.position': { $add: [visible + 1, across.indexAmong(plan)] } } },
      { $unset: ['keys.isNew', 'keys.stamp'] },
    ],
  })
  const done = { visible: planned, planned, plan: [] }
  return (await advance(database.tenant(''), progress, done)) ? done : undefined
}

/** Corrects the attempts of events before they get their positions; see `settle-plans.ts`. */
type Settle = (events: readonly StampedRef[]) => Promise<void>

export function createEventSequencer(database: Database, settle: Settle): SystemStore['sequenceEvents'] {
  const across = database.across()
  const access = database.tenant('')
  const nothing = { count: 0, tenantIds: [] }
  /** The last tenant of the last batch: a tenant that commits without pause must not delay the others. */
  let afterTenant = ''

  /** Returns fewer events than the limit only when no more wait. */
  async function findNew(limit: number): Promise<StampedRef[]> {
    const find = (where: Filter, rest: number) =>
      across.find(
        'events',
        { 'keys.isNew': 1, ...where },
        { sort: { tenantId: 1, id: 1 }, limit: rest, fields: ['tenantId', 'id', 'keys'], index: 'sequence' },
      )
    const start = afterTenant
    const found = await find({ tenantId: trusted({ $gt: start }) }, limit)
    if (found.length < limit && start !== '') {
      found.push(...(await find({ tenantId: trusted({ $lte: start }) }, limit - found.length)))
    }
    afterTenant = found.length === limit ? (found.at(-1)?.tenantId ?? '') : ''
    return found.map((row) => ({ tenantId: row.tenantId, id: row.id, stamp: stampOf(row) }))
  }

  return async (limit) => {
    const before = (await readProgress(access)) ?? (await begin(access))
    // Finish an unfinished plan first: its readers are woken late, but they are woken.
    const progress = await carryOut(database, before)
    if (!progress) return nothing
    const found = await findNew(limit)
    await settle(found)
    const plan = found.map(({ tenantId, id }) => ({ tenantId, id }))
    const planned = progress.visible + plan.length
    const isPlanned = plan.length > 0 && (await advance(access, progress, { ...progress, planned, plan }))
    if (isPlanned) await carryOut(database, { ...progress, planned, plan })
    const done = [...before.plan, ...(isPlanned ? plan : [])]
    return { count: done.length, tenantIds: [...new Set(done.map(({ tenantId }) => tenantId as TenantId))] }
  }
}
