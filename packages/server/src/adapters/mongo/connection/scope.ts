import mongoose, { type ClientSession, type Connection, type Model } from 'mongoose'
import type {
  Across,
  CollectionAccess,
  Database,
  PageBounds,
  RefUpsert,
  RowRef,
  StoredRow,
} from './access.ts'
import { type CollectionName, collections } from './collections.ts'
import { isRouter } from './connection.ts'
import { type Filter, trusted } from './filters.ts'
import { createReadFromProven, type ReadFromProven } from './proven-primary.ts'
import { bytesOf } from './row-bytes.ts'
import { createSharedFinds, type FindByRefs, type FindOne } from './shared-finds.ts'

/*
 * The one file that holds models. Every query of a tenant's scope is bound to the tenant here, as its last condition,
 * so no filter can remove it. `_id` is composed of tenant and id here and known nowhere else.
 */

const { Mixed } = mongoose.Schema.Types

function newSchema(): mongoose.Schema {
  const fields = {
    _id: String,
    tenantId: String,
    id: String,
    version: Number,
    row: Mixed,
    keys: Mixed,
    labels: [String],
    subjects: [String],
    text: String,
    grams: [String],
    searchNumber: Number,
    touches: Number,
  }
  return new mongoose.Schema(fields, {
    strict: 'throw',
    strictQuery: 'throw',
    versionKey: false,
    autoIndex: false,
    autoCreate: false,
    minimize: false,
    id: false,
  })
}

/** Escapes the separator in the tenant's part of the key, so that no two refs have the same key. */
function keyOf({ tenantId, id }: RowRef): string {
  return `${tenantId.replace(/[%:]/g, encodeURIComponent)}:${id}`
}

/**
 * The keys of all rows of a tenant, or of those behind an id: they begin with the tenant and `:`, which no tenant's part of a key
 * contains.
 */
function keysOf(tenantId: string | undefined, after = ''): Filter {
  if (tenantId === undefined) return {}
  const end = `${keyOf({ tenantId, id: '' }).slice(0, -1)};`
  return { _id: trusted({ $gt: keyOf({ tenantId, id: after }), $lt: end }) }
}

/** BSON would change half a surrogate pair into another text, which may be another row's id. */
function assertWellFormed({ tenantId, id }: RowRef): void {
  if (!id.isWellFormed() || !tenantId.isWellFormed()) throw new TypeError('the id is no well-formed text')
}

/** The fields that only a search reads. */
const unread = { text: 0, grams: 0 } as const

type RowModel = Model<StoredRow>
type Models = Map<CollectionName, RowModel>

interface Bounds {
  models: Models
  /** Whether the commands go to the router of a sharded cluster, which finds the shards of a command by its tenant. */
  isRouted: () => boolean
  findShared: FindOne
  readFromProven: ReadFromProven
  session: ClientSession | undefined
  /** Undefined: across all tenants. */
  tenantId: string | undefined
}

function createReads({ models, isRouted, findShared, readFromProven, session, tenantId }: Bounds) {
  const model = (name: CollectionName) => models.get(name) as RowModel
  const bound = (filter: Filter): Filter => (tenantId === undefined ? filter : { ...filter, tenantId })
  const reads: Pick<
    CollectionAccess,
    'one' | 'findOne' | 'among' | 'find' | 'count' | 'countAll' | 'sumAll' | 'pipe'
  > = {
    one: (id) => (tenantId === undefined ? { id } : { _id: keyOf({ tenantId, id }) }),
    findOne: async (name, id) => {
      if (tenantId !== undefined && session === undefined) return findShared(name, { tenantId, id })
      const [found] = await reads.find(name, reads.one(id), { limit: 1 })
      return found
    },
    among: (ids) =>
      tenantId === undefined
        ? { id: trusted({ $in: [...ids] }) }
        : { _id: trusted({ $in: ids.map((id) => keyOf({ tenantId, id })) }) },
    find: (name, filter, { sort, skip, limit, after, fields, index, maxTimeMs } = {}) => {
      const query = model(name)
        .find(bound(after === undefined ? filter : { ...filter, ...keysOf(tenantId, after) }))
        .select(fields ? [...fields] : unread)
      if (sort) query.sort(sort)
      if (skip) query.skip(skip)
      if (index) query.hint(index)
      if (maxTimeMs !== undefined) query.maxTimeMS(maxTimeMs)
      if (limit !== undefined) query.limit(limit)
      return query
        .session(session ?? null)
        .lean<StoredRow[]>()
        .exec()
    },
    count: (name, filter, limit) =>
      model(name)
        .countDocuments(bound(filter), { limit })
        .session(session ?? null)
        .exec(),
    countAll: (name) =>
      model(name)
        // The keys name the tenant, but not to a router. Every index of a sharded collection begins with the tenant.
        .countDocuments(isRouted() ? bound({}) : keysOf(tenantId))
        .session(session ?? null)
        .exec(),
    sumAll: async (name, field, filter) => {
      const stages = [
        { $match: bound({ ...filter, ...keysOf(tenantId) }) },
        { $group: { _id: null, sum: { $sum: `$${field}` } } },
      ]
      const [found] = await model(name)
        .aggregate<{ sum: number }>(stages)
        .session(session ?? null)
        .exec()
      return found?.sum ?? 0
    },
    pipe: <T>(name: CollectionName, stages: readonly object[], index?: string) => {
      const aggregate = model(name)
        .aggregate<T>([{ $match: bound({}) }, ...stages] as mongoose.PipelineStage[])
        .session(session ?? null)
      return (index === undefined ? aggregate : aggregate.hint(index)).exec()
    },
  }
  // The commit of a transaction waits for the majority, so its reads need no proof.
  if (session === undefined) {
    const { find, count, countAll, sumAll, pipe } = reads
    reads.find = (...wanted) => readFromProven(() => find(...wanted))
    reads.count = (...wanted) => readFromProven(() => count(...wanted))
    reads.countAll = (...wanted) => readFromProven(() => countAll(...wanted))
    reads.sumAll = (...wanted) => readFromProven(() => sumAll(...wanted))
    reads.pipe = <T>(...wanted: Parameters<typeof pipe>) => readFromProven(() => pipe<T>(...wanted))
  }
  return { ...reads, model, bound }
}

function upsertOf({ ref, update }: RefUpsert): {
  filter: { _id: string; tenantId: string }
  stages: object[]
} {
  assertWellFormed(ref)
  const { tenantId, id } = ref
  return { filter: { _id: keyOf(ref), tenantId }, stages: [...update, { $set: { id: { $literal: id } } }] }
}

function createAccess(bounds: Bounds): CollectionAccess {
  const { model, bound, ...reads } = createReads(bounds)
  const { tenantId } = bounds
  const inSession = bounds.session ? { session: bounds.session } : {}
  const updatePipeline = true
  return {
    ...reads,
    insert: async (name, rows) => {
      if (rows.length === 0) return
      if (tenantId === undefined) throw new TypeError('a row is written by its tenant')
      const documents = rows.map((row) => {
        assertWellFormed({ tenantId, id: row.id })
        return { ...row, _id: keyOf({ tenantId, id: row.id }), tenantId }
      })
      await model(name).insertMany(documents, { ...inSession, lean: true, ordered: true })
    },
    ensure: async (name, rows) => {
      if (rows.length === 0) return
      if (tenantId === undefined) throw new TypeError('a row is written by its tenant')
      const upserts = rows.map((row) => {
        assertWellFormed({ tenantId, id: row.id })
        const filter = { _id: keyOf({ tenantId, id: row.id }), tenantId }
        return { updateOne: { filter, update: { $setOnInsert: { ...row } }, upsert: true } }
      })
      await model(name).bulkWrite(upserts, { ...inSession, ordered: true })
    },
    update: async (name, filter, update) => {
      const options = { ...inSession, updatePipeline }
      return (await model(name).updateMany(bound(filter), update, options).exec()).matchedCount
    },
    upsertOne: async (name, id, update) => {
      if (tenantId === undefined) throw new TypeError('a row is written by its tenant')
      const { filter, stages } = upsertOf({ ref: { tenantId, id }, update })
      const options = { ...inSession, updatePipeline, upsert: true }
      await model(name)
        .updateOne(filter, stages as never, options)
        .exec()
    },
    findAndUpdate: async (name, filter, update) => {
      const options = { ...inSession, updatePipeline, returnDocument: 'before' } as const
      const query = model(name)
        .findOneAndUpdate(bound(filter), update as never, options)
        .select(unread)
      return (await query.lean<StoredRow>().exec()) ?? undefined
    },
    remove: async (name, filter) =>
      (await model(name).deleteMany(bound(filter), inSession).exec()).deletedCount,
  }
}

/**
 * Names the tenants beside the keys, so that a sharded cluster asks only the shards of these tenants. An update of one row
 * has to name one tenant, not a list of one.
 */
function matchesRefs(refs: readonly RowRef[]): Filter {
  const [first, ...others] = refs
  if (first !== undefined && others.length === 0) return { _id: keyOf(first), tenantId: first.tenantId }
  const tenantIds = [...new Set(refs.map(({ tenantId }) => tenantId))]
  return { _id: trusted({ $in: refs.map(keyOf) }), tenantId: trusted({ $in: tenantIds }) }
}

/** The documents of one batch: with long texts a page ends before many unneeded ones are read. */
const cursorBatch = 100

async function readPage(model: RowModel, { after, rowsMax, bytesMax }: PageBounds): Promise<StoredRow[]> {
  const filter: Filter = after === null ? {} : { _id: trusted({ $gt: keyOf(after) }) }
  const query = model.find(filter).select(unread).sort({ _id: 1 }).limit(rowsMax)
  const rows: StoredRow[] = []
  let bytes = 0
  for await (const row of query.lean<StoredRow>().cursor({ batchSize: cursorBatch })) {
    rows.push(row)
    bytes += bytesOf(row)
    if (bytes >= bytesMax) break
  }
  return rows
}

function createAcross(bounds: Omit<Bounds, 'tenantId'>): Across {
  const { models, readFromProven, session } = bounds
  const access = createAccess({ ...bounds, tenantId: undefined })
  return {
    ...access,
    page: (name, bounds) => readFromProven(() => readPage(models.get(name) as RowModel, bounds)),
    findByRefs: async (name, refs, fields) =>
      refs.length > 0 ? access.find(name, matchesRefs(refs), fields && { fields }) : [],
    updateByRefs: (name, refs, { where, update }) =>
      access.update(name, { ...where, ...matchesRefs(refs) }, update),
    updateEachByRef: async (name, updates) => {
      if (updates.length === 0) return 0
      const writes = updates.map(({ ref, where, update }) => ({
        updateOne: { filter: { ...where, _id: keyOf(ref), tenantId: ref.tenantId }, update },
      }))
      const options = { ordered: false, ...(session && { session }) }
      // The collection itself: mongoose checks each update by itself, which costs more than all else in this process.
      const { matchedCount } = await (models.get(name) as RowModel).collection.bulkWrite(
        writes as never,
        options,
      )
      return matchedCount
    },
    upsertEachByRef: async (name, upserts) => {
      if (upserts.length === 0) return
      const writes = upserts.map((upsert) => {
        const { filter, stages } = upsertOf(upsert)
        return { updateOne: { filter, update: stages, upsert: true } }
      })
      // The collection itself: mongoose takes no stages among the updates of a bulk write.
      await (models.get(name) as RowModel).collection.bulkWrite(writes as never, { ordered: false })
    },
    pipeAll: async <T>(name: CollectionName, pipelines: readonly object[][]): Promise<T[]> => {
      const [first, ...others] = pipelines
      if (first === undefined) return []
      const unions = others.map((pipeline) => ({ $unionWith: { coll: name, pipeline } }))
      return access.pipe<T>(name, [...first, ...unions])
    },
    indexAmong: (refs) => ({ $indexOfArray: [{ $literal: refs.map(keyOf) }, '$_id'] }),
    removeByRefs: async (name, refs, where = {}) =>
      refs.length > 0 ? access.remove(name, { ...where, ...matchesRefs(refs) }) : 0,
    removeGroups: (name, groups) =>
      access.remove(
        name,
        trusted({ $or: groups.map(({ refs, where }) => ({ ...where, ...matchesRefs(refs) })) }),
      ),
    upsert: async (name, id, update) => {
      await (models.get(name) as RowModel).updateOne({ _id: id }, update, { upsert: true }).exec()
    },
  }
}

/** Reads rows of any tenants by their keys. */
function createFindByRefs(models: Models, isRouted: () => boolean, reading: ReadFromProven): FindByRefs {
  return (name, refs) => {
    const [first] = refs
    // The key alone is the quickest find of all. It names the tenant, but not to the router of a sharded cluster.
    const isAlone = refs.length === 1 && first !== undefined && !isRouted()
    const filter = isAlone ? { _id: keyOf(first) } : matchesRefs(refs)
    const model = models.get(name) as RowModel
    return reading(() => model.find(filter).select(unread).lean<StoredRow[]>().exec())
  }
}

export function createDatabase(connection: Connection): Database {
  const models: Models = new Map()
  for (const name of Object.keys(collections) as CollectionName[]) {
    models.set(name, connection.model(name, newSchema(), name) as unknown as RowModel)
  }
  const readFromProven = createReadFromProven(connection)
  const isRouted = () => isRouter(connection)
  const findShared = createSharedFinds(createFindByRefs(models, isRouted, readFromProven))
  const parts = { models, isRouted, findShared, readFromProven }
  return {
    tenant: (tenantId, session) => createAccess({ ...parts, session, tenantId }),
    across: (session) => createAcross({ ...parts, session }),
    startSession: () => connection.startSession(),
  }
}
