import { VersionConflict } from '../../../storage/errors.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'
import type { Document } from '../../../storage/records.ts'
import { isReadAs, readable } from '../../../storage/rules/readable-rows.ts'
import { assertOwner, isSame, type Patch, patched } from '../../../storage/rules/rows.ts'
import type { CollectionAccess, Database } from '../connection/access.ts'
import type { Filter } from '../connection/filters.ts'
import { orUniqueConflict } from '../connection/mongo-errors.ts'
import { decodeRow, encodeRow, encodeValue } from './encode-row.ts'
import { derivedChanges, derivedOf, type Pointer, ruleOf } from './kinds.ts'

/** Writes single rows with all data derived from them. Used inside a transaction, except for a copy. */
export interface RowWriter {
  /** Versions are 1, except for copied rows. Every row is written after its pointers. */
  insert(kind: Kind, rows: readonly Document[], versions?: readonly number[]): Promise<void>
  /** Inserts the rows whose ids no row has. Only for kinds that no read across tenants finds. */
  ensure(kind: Kind, rows: readonly Document[]): Promise<void>
  update(kind: Kind, id: string, change: RowUpdate): Promise<void>
  patch(patch: Patch): Promise<void>
  /** Without a version, the row is removed as it is. */
  remove(kind: Kind, id: string, expectVersion?: number): Promise<void>
  /** Deletes rows that may be deleted already. */
  removeAll(kind: Kind, ids: readonly string[]): Promise<void>
}

interface RowUpdate {
  expectVersion: number
  set: object
  renewsKeys?: true
}

interface OwnedRef {
  kind: Kind
  id: string
  tenantId: string
}

interface RowChange {
  kind: Kind
  before: Document
  after: Document
  renewsKeys?: true | undefined
}

async function addPointers(
  access: CollectionAccess,
  kind: Kind,
  { pointer, rows }: { pointer: Pointer; rows: readonly Document[] },
): Promise<void> {
  const made = rows.flatMap((row) => {
    const keys = pointer.of(row)
    return keys ? [{ id: row._id, keys }] : []
  })
  await orUniqueConflict(kind, access.insert(pointer.collection, made))
}

async function movePointers(
  access: CollectionAccess,
  { kind, before, after, renewsKeys }: RowChange,
): Promise<void> {
  for (const pointer of ruleOf(kind).pointers) {
    if (!renewsKeys && isSame(pointer.of(before), pointer.of(after))) continue
    await access.remove(pointer.collection, access.one(before._id))
    await addPointers(access, kind, { pointer, rows: [after] })
  }
}

const literal = (value: unknown) => ({ $literal: value })

/**
 * Returns a patch as stages of an update. `touches` makes it a write even when nothing changes, so that it conflicts
 * with an erasure of the row at the same moment.
 */
function patchStages({ increment, max, newest, set: given, setIfNull }: Patch): object[] {
  const set: Record<string, object> = { touches: { $add: [{ $ifNull: ['$touches', 0] }, 1] } }
  for (const [field, by] of Object.entries(increment ?? {}))
    set[`row.${field}`] = { $add: [{ $ifNull: [`$row.${field}`, 0] }, Number(by)] }
  for (const [field, text] of Object.entries(max ?? {}))
    set[`row.${field}`] = { $max: [`$row.${field}`, literal(text)] }
  const isGreater = newest && isGreaterThan(newest)
  for (const [field, value] of Object.entries(newest?.set ?? {}))
    set[`row.${field}`] = { $cond: [isGreater, `$row.${field}`, literal(encodeValue(value) ?? null)] }
  for (const [field, value] of Object.entries(given ?? {}))
    set[`row.${field}`] = literal(encodeValue(value) ?? null)
  const fills: Record<string, object> = {}
  for (const [field, value] of Object.entries(setIfNull ?? {}))
    fills[`row.${field}`] = { $ifNull: [`$row.${field}`, literal(encodeValue(value) ?? null)] }
  return [{ $set: set }, ...(Object.keys(fills).length > 0 ? [{ $set: fills }] : [])]
}

/** Whether the row's values are greater, compared one after the other. A row without the value is the least. */
function isGreaterThan({ by, set }: NonNullable<Patch['newest']>): object {
  const given: Readonly<Record<string, unknown>> = set
  const pairs = by.map((field) => [{ $ifNull: [`$row.${field}`, ''] }, literal(given[field] ?? '')] as const)
  return {
    $or: pairs.map((pair, index) => ({
      $and: [...pairs.slice(0, index).map((equal) => ({ $eq: equal })), { $gt: pair }],
    })),
  }
}

function conditionsOf({ kind, when, expectVersion }: Patch): Filter {
  const conditions = Object.entries(when ?? {}).map(([field, value]): Filter => {
    const encoded = encodeValue(value) ?? null
    const isText = typeof encoded === 'object' && encoded !== null
    const holds = isText ? { [`row.${field}.json`]: encoded.json } : { [`row.${field}`]: encoded }
    // The row of an earlier version may lack the field.
    return isReadAs(kind, field, value) ? { $or: [holds, { [`row.${field}`]: null }] } : holds
  })
  return {
    ...(conditions.length > 0 && { $and: conditions }),
    ...(expectVersion !== undefined && { version: expectVersion }),
  }
}

async function update(
  access: CollectionAccess,
  { kind, id, tenantId }: OwnedRef,
  { expectVersion, set, renewsKeys }: RowUpdate,
): Promise<void> {
  const [found] = await access.find(kind, access.one(id))
  if (found?.version !== expectVersion)
    throw new VersionConflict(kind, { op: 'update', id, version: found?.version ?? null })
  const before = readable(kind, decodeRow<Document>(found.row))
  const after = { ...before, ...set }
  assertOwner(after, { tenantId, id, kind })
  const rule = ruleOf(kind)
  const derived = renewsKeys ? derivedOf(rule, after) : derivedChanges(rule, { before, after })
  const $set = { row: encodeRow(after), version: expectVersion + 1, ...derived }
  await orUniqueConflict(kind, access.update(kind, access.one(id), { $set }))
  await movePointers(access, { kind, before, after, renewsKeys })
}

async function patch(access: CollectionAccess, tenantId: string, change: Patch): Promise<void> {
  const { kind, id } = change
  const filter = { ...access.one(id), ...conditionsOf(change) }
  const found = await orUniqueConflict(kind, access.findAndUpdate(kind, filter, patchStages(change)))
  if (!found) {
    const isConditional = change.when !== undefined || change.expectVersion !== undefined
    throw new VersionConflict(kind, isConditional ? undefined : { op: 'patch', id, version: null })
  }
  const before = readable(kind, decodeRow<Document>(found.row))
  const after = patched(before, change)
  assertOwner(after, { tenantId, id, kind })
  const rule = ruleOf(kind)
  const derived = derivedChanges(rule, { before, after })
  if (Object.keys(derived).length > 0) await access.update(kind, access.one(id), { $set: derived })
  await movePointers(access, { kind, before, after })
}

export function createRowWriter(
  tenantId: string,
  accessOf: (tenantId: string) => ReturnType<Database['tenant']>,
): RowWriter {
  const accessOfKind = (kind: Kind) => accessOf(ruleOf(kind).isServerWide ? '' : tenantId)

  async function removeAll(kind: Kind, ids: readonly string[]): Promise<void> {
    const access = accessOfKind(kind)
    for (const { collection } of ruleOf(kind).pointers) await access.remove(collection, access.among(ids))
    await access.remove(kind, access.among(ids))
  }

  async function remove(kind: Kind, id: string, expectVersion: number | undefined): Promise<void> {
    const access = accessOfKind(kind)
    const row = access.one(id)
    for (const { collection } of ruleOf(kind).pointers) await access.remove(collection, row)
    const isRead = expectVersion !== undefined
    const removed = await access.remove(kind, isRead ? { ...row, version: expectVersion } : row)
    if (removed > 0) return
    const [found] = await access.find(kind, row, { fields: ['version'] })
    const version = found?.version ?? null
    throw new VersionConflict(kind, { op: isRead ? 'remove' : 'erase', id, version })
  }

  function storedRow(kind: Kind, row: Document, version = 1) {
    assertOwner(row, { tenantId, id: row._id, kind })
    return { id: row._id, version, row: encodeRow(row), ...derivedOf(ruleOf(kind), row) }
  }

  return {
    async insert(kind, rows, versions = []) {
      const made = rows.map((row, index) => storedRow(kind, row, versions[index]))
      const access = accessOfKind(kind)
      for (const pointer of ruleOf(kind).pointers) await addPointers(access, kind, { pointer, rows })
      await orUniqueConflict(kind, access.insert(kind, made))
    },
    async ensure(kind, rows) {
      if (ruleOf(kind).pointers.length > 0) throw new TypeError(`${kind} has rows that point to its rows`)
      const made = rows.map((row) => storedRow(kind, row))
      await orUniqueConflict(kind, accessOfKind(kind).ensure(kind, made))
    },
    update: (kind, id, change) => update(accessOfKind(kind), { kind, id, tenantId }, change),
    patch: (change) => patch(accessOfKind(change.kind), tenantId, change),
    remove,
    removeAll,
  }
}
