import type { ClientSession } from 'mongoose'
import type { EncodedRow } from '../rows/encode-row.ts'
import type { CollectionName } from './collections.ts'
import type { Filter } from './filters.ts'

/** A document of any collection. */
export interface StoredRow {
  _id: string
  tenantId: string
  id: string
  version: number
  row: EncodedRow
  /** Values that are computed from the record to sort it or find it by. */
  keys?: Record<string, string | number | null>
  labels?: string[]
  subjects?: string[]
  /** Folded text that is searched, with its index. */
  text?: string
  grams?: string[]
  /** Stands in the index for the row that a search finds by this text; see `search/grams.ts`. */
  searchNumber?: number
}
export type NewRow = Pick<StoredRow, 'id'> & Partial<Omit<StoredRow, '_id' | 'tenantId'>>

export interface FindOptions {
  sort?: Record<string, 1 | -1>
  skip?: number
  limit?: number
  /** Only rows behind this id, where they are sorted by `_id`. Within a tenant alone. */
  after?: string
  /** Only these fields. */
  fields?: readonly string[]
  /** The server ends the command with an error after so long. */
  maxTimeMs?: number
  /** The index to use, where the server's own choice depends on the number of rows. */
  index?: string
}

/** All operations on collections, within one tenant or across all. */
export interface CollectionAccess {
  /** Returns a filter for the row with this id. */
  one(id: string): Filter
  /** Returns the row with this id. Outside of transactions, it shares its command with others of the same moment. */
  findOne(name: CollectionName, id: string): Promise<StoredRow | undefined>
  among(ids: readonly string[]): Filter
  find(name: CollectionName, filter: Filter, options?: FindOptions): Promise<StoredRow[]>
  count(name: CollectionName, filter: Filter, limit: number): Promise<number>
  /** Counts all rows of the tenant from the index of their keys alone. */
  countAll(name: CollectionName): Promise<number>
  /** Sums a number field over the rows of the tenant that a filter matches. */
  sumAll(name: CollectionName, field: string, filter: Filter): Promise<number>
  /** Runs an aggregation, with this index where it is given; its stages must not write. */
  pipe<T>(name: CollectionName, stages: readonly object[], index?: string): Promise<T[]>
  insert(name: CollectionName, rows: readonly NewRow[]): Promise<void>
  /** Inserts the rows whose ids no row has, and leaves the others as they are. */
  ensure(name: CollectionName, rows: readonly NewRow[]): Promise<void>
  /** Returns how many rows matched. */
  update(name: CollectionName, filter: Filter, update: object | object[]): Promise<number>
  /** Updates the row with this id, or inserts it. */
  upsertOne(name: CollectionName, id: string, update: object[]): Promise<void>
  /** Returns the row as it was before. */
  findAndUpdate(name: CollectionName, filter: Filter, update: object[]): Promise<StoredRow | undefined>
  /** Returns how many rows were deleted. */
  remove(name: CollectionName, filter: Filter): Promise<number>
}

export interface RowRef {
  tenantId: string
  id: string
}

/** Returns a key for maps and sets of this process; the database's own keys are known to `scope.ts` alone. */
export function refKey({ tenantId, id }: RowRef): string {
  return JSON.stringify([tenantId, id])
}

export interface PageBounds {
  /** The row before the page; null for the first page. */
  after: RowRef | null
  rowsMax: number
  /** The page ends with the row that reaches this size. */
  bytesMax: number
}

interface RefsUpdate {
  where: Filter
  update: object | object[]
}

export interface RefUpdate {
  ref: RowRef
  where: Filter
  update: object
}

export interface RefGroup {
  refs: readonly RowRef[]
  where: Filter
}

export interface RefUpsert {
  ref: RowRef
  /** Stages of an update. */
  update: object[]
}

export interface Across extends CollectionAccess {
  /** Returns rows in the order of their keys, without their search texts. */
  page(name: CollectionName, bounds: PageBounds): Promise<StoredRow[]>
  /** Returns the rows with these refs, in no order. */
  findByRefs(name: CollectionName, refs: readonly RowRef[], fields?: readonly string[]): Promise<StoredRow[]>
  /** Updates the rows with these refs that meet the condition; returns how many. */
  updateByRefs(name: CollectionName, refs: readonly RowRef[], change: RefsUpdate): Promise<number>
  /** Updates each of these rows in its own way, if it meets its condition, with one command; returns how many did. */
  updateEachByRef(name: CollectionName, updates: readonly RefUpdate[]): Promise<number>
  /** Updates each of these rows in its own way, or inserts it, with one command; an error leaves none of the others out. */
  upsertEachByRef(name: CollectionName, upserts: readonly RefUpsert[]): Promise<void>
  /** Runs several pipelines over one collection with one command; returns the results of all, in the given order. */
  pipeAll<T>(name: CollectionName, pipelines: readonly object[][]): Promise<T[]>
  /** Returns an expression for updates: the index of the row's ref among these, from 0. */
  indexAmong(refs: readonly RowRef[]): object
  removeByRefs(name: CollectionName, refs: readonly RowRef[], where?: Filter): Promise<number>
  /** Deletes the rows of each group that meet its condition, with one command; returns how many of all. */
  removeGroups(name: CollectionName, groups: readonly RefGroup[]): Promise<number>
  /** Updates a row of the whole server, or inserts it. */
  upsert(name: CollectionName, id: string, update: object): Promise<void>
}

export interface Database {
  tenant(tenantId: string, session?: ClientSession): CollectionAccess
  across(session?: ClientSession): Across
  startSession(): Promise<ClientSession>
}
