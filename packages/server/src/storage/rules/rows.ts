import type { Change, Write } from '../../ports/change.ts'
import { VersionConflict } from '../errors.ts'
import { tenantKinds } from '../kinds/derive.ts'
import type { Kind } from '../kinds/registry.ts'
import type { Document } from '../records.ts'

/* The rules of writing a row, for every storage adapter alike. */

export type Patch = Extract<Write<Kind>, { op: 'patch' }>

export function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

/** Returns the row after a patch. `VersionConflict` when its condition does not hold. */
export function patched(before: Document, patch: Patch): Document {
  assertCondition(before, patch)
  const { increment, max, newest, set, setIfNull } = patch
  const row: Document = { ...before }
  for (const [field, by] of Object.entries(increment ?? {})) row[field] = Number(row[field] ?? 0) + Number(by)
  for (const [field, text] of Object.entries(max ?? {})) {
    const current = row[field]
    if (typeof current !== 'string' || String(text) > current) row[field] = text
  }
  if (newest !== undefined && !isGreater(before, newest)) Object.assign(row, newest.set)
  Object.assign(row, set)
  for (const [field, value] of Object.entries(setIfNull ?? {})) row[field] ??= value
  return row
}

/** A row without the value is the least. */
function isGreater(row: Document, { by, set }: NonNullable<Patch['newest']>): boolean {
  const given: Readonly<Record<string, unknown>> = set
  for (const field of by) {
    const [stored, next] = [String(row[field] ?? ''), String(given[field] ?? '')]
    if (stored !== next) return stored > next
  }
  return false
}

function assertCondition(row: Document, { kind, when = {} }: Patch): void {
  for (const [field, value] of Object.entries(when)) {
    if (!isSame(row[field] ?? null, value ?? null)) throw new VersionConflict(kind)
  }
}

interface RowKey {
  tenantId: string
  id: string
  kind: Kind
}

/** A row keeps its id and its tenant for life; a record that names another one is a mistake of the caller. */
export function assertOwner(row: Document, owner: RowKey): void {
  const isForeign = row.tenantId !== undefined && row.tenantId !== owner.tenantId
  const isOtherTenant = owner.kind === 'tenants' && row._id !== owner.tenantId
  if (row._id !== owner.id || isForeign || isOtherTenant) {
    throw new TypeError(`${owner.kind}: the row names another id or tenant than it is written for`)
  }
}

const writtenByTenants: ReadonlySet<Kind> = new Set(tenantKinds)

export function assertTenantKinds({ writes }: Change<Kind>): void {
  for (const { kind } of writes)
    if (!writtenByTenants.has(kind)) throw new TypeError(`a tenant's commit cannot write ${kind}`)
}
