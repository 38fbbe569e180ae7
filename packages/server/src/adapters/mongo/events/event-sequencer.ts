import type { SystemStore } from '../../../ports/storage.ts'
import type { TenantId } from '../../../storage/records.ts'
import { trusted } from '../connection/filters.ts'
import { isTaken } from '../connection/mongo-errors.ts'
import type { CollectionAccess, Database, RowPlace } from '../connection/scope.ts'

/*
 * Positions are given after the commit: a counter that every commit raises would make all commits wait for each
 * other. They are given batch by batch, each in three writes: the plan (which events get which positions), the
 * events themselves, and `visible`, beyond which nobody reads. A plan is made only when the one before is visible,
 * and whoever finds one unfinished finishes it: the same events get the same positions, whoever writes them and
 * however late. So a sequencer may die or sleep at any point, and no transaction is left open that others wait for.
 */

/** What an event bears until it has its position. */
export const withoutPosition = { isNew: 1 }

const rowId = 'log'

interface Progress {
  /** Everything up to here can be read. */
  visible: number
  /** Equal to `visible`, or the end of the plan that is being carried out. */
  planned: number
  plan: RowPlace[]
}

async function readProgress(access: CollectionAccess): Promise<Progress | undefined> {
  const [found] = await access.find('eventSequence', access.one(rowId))
  const { visible, planned, plan } = found?.keys ?? {}
  if (typeof visible !== 'number' || typeof planned !== 'number') return undefined
  return { visible, planned, plan: JSON.parse(String(plan)) as RowPlace[] }
}

/** Up to which position the log can be read. */
export async function readVisible(database: Database): Promise<number> {
  return (await readProgress(database.tenant('')))?.visible ?? 0
}

/** The next event is given the position behind this one. */
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

/** Goes on only from exactly this progress: false when another sequencer has gone on already. */
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

/** Answers the progress after it; undefined when another sequencer was quicker. */
async function carryOut(database: Database, progress: Progress): Promise<Progress | undefined> {
  const { visible, planned, plan } = progress
  if (visible === planned) return progress
  const across = database.across()
  // An event that has its position already, because another sequencer is at the same plan, is left alone.
  await across.updatePlaces('events', plan, {
    where: { 'keys.isNew': 1 },
    update: [
      { $set: { 'keys.position': { $add: [visible + 1, across.indexAmong(plan)] } } },
      { $unset: 'keys.isNew' },
    ],
  })
  const done = { visible: planned, planned, plan: [] }
  return (await advance(database.tenant(''), progress, done)) ? done : undefined
}

export function createEventSequencer(database: Database): SystemStore['sequenceEvents'] {
  const across = database.across()
  const access = database.tenant('')
  const nothing = { count: 0, tenantIds: [] }
  /** Where the last batch ended: a tenant that commits without pause does not keep the others waiting. */
  let afterTenant = ''

  async function findNew(limit: number): Promise<RowPlace[]> {
    const sort = { tenantId: 1, id: 1 } as const
    const options = { sort, limit, fields: ['tenantId', 'id'], index: 'sequence' }
    const isNew = { 'keys.isNew': 1 }
    const rest = { ...isNew, tenantId: trusted({ $gt: afterTenant }) }
    let found = await across.find('events', rest, options)
    if (found.length === 0 && afterTenant !== '') found = await across.find('events', isNew, options)
    afterTenant = found.length === limit ? (found.at(-1)?.tenantId ?? '') : ''
    return found.map(({ tenantId, id }) => ({ tenantId, id }))
  }

  return async (limit) => {
    const before = (await readProgress(access)) ?? (await begin(access))
    // A plan that was left unfinished comes first: its readers are woken late, which is better than never.
    const progress = await carryOut(database, before)
    if (!progress) return nothing
    const plan = await findNew(limit)
    const planned = progress.visible + plan.length
    const isPlanned = plan.length > 0 && (await advance(access, progress, { ...progress, planned, plan }))
    if (isPlanned) await carryOut(database, { ...progress, planned, plan })
    const done = [...before.plan, ...(isPlanned ? plan : [])]
    return { count: done.length, tenantIds: [...new Set(done.map(({ tenantId }) => tenantId as TenantId))] }
  }
}
