import { channel } from 'node:diagnostics_channel'
import { kinds, type TransferKind } from '../kinds/registry.ts'
import { isSame } from './rows.ts'

/*
 * Rows are read by the program of today and were written by any program before: an earlier version beside it during an
 * upgrade, an older backup, a person with a database shell.
 */

/** A row that lacks a field which no default stands in for. */
export class DamagedRow extends Error {
  override readonly name = 'DamagedRow'
  readonly kind: TransferKind
  readonly id: string
  constructor(kind: TransferKind, { id, field }: { id: string; field: string }) {
    super(`${kind} ${id}: the stored row has no ${field}`)
    this.kind = kind
    this.id = id
  }
}

/** Says of which kind a row is that a list or a poll has left out, its id, and why it could not be read. */
export interface LeftOutRow {
  readonly kind: string
  readonly id: string
  readonly reason: string
}

const channelOfDamage = channel('crmkit:damaged-row')

/** Reports a row that was left out. */
export function reportLeftOut(row: LeftOutRow): void {
  channelOfDamage.publish(row)
}

/** Calls the listener for each row that is left out in this process, until the returned function is called. */
export function onLeftOut(listener: (row: LeftOutRow) => void): () => void {
  const receive = (row: unknown) => listener(row as LeftOutRow)
  channelOfDamage.subscribe(receive)
  return () => void channelOfDamage.unsubscribe(receive)
}

interface Demanded {
  readonly field: string
  /** Returns the value for a row without the field; undefined when nothing stands in for it. */
  readonly absent: (() => unknown) | undefined
}

function demandedOf(kind: TransferKind): Demanded[] {
  return Object.entries(kinds[kind].fields).flatMap(
    ([field, { isOptional, isNullable, type, absent }]): Demanded[] => {
      if (isOptional || field === '_id') return []
      if (absent !== undefined) return [{ field, absent }]
      // A list or an object is nullable in the database alone: null would break its readers.
      return [{ field, absent: isNullable && type !== 'json' ? () => null : undefined }]
    },
  )
}

/** Returns whether a row without the field is read as if it had this value. */
export function isReadAs(kind: TransferKind, field: string, value: unknown): boolean {
  const stand = demandedOf(kind)
    .find((one) => one.field === field)
    ?.absent?.()
  return stand !== undefined && isSame(stand, value ?? null)
}

const demanded = new Map<TransferKind, Demanded[]>()

/**
 * Fills the fields that the row does not have, as their kind declares, and returns the row. Throws `DamagedRow` when a field
 * without a default is missing.
 */
export function readable<T extends object>(kind: TransferKind, row: T): T {
  let fields = demanded.get(kind)
  if (fields === undefined) {
    fields = demandedOf(kind)
    demanded.set(kind, fields)
  }
  const record = row as Record<string, unknown>
  for (const { field, absent } of fields) {
    if (record[field] !== undefined) continue
    if (absent === undefined) throw new DamagedRow(kind, { id: String(record['_id']), field })
    record[field] = absent()
  }
  return row
}

const emptyOf = { text: '', moment: '', flag: false, number: 0, json: [] } as const

/** Returns the row with an empty value for each field that is missing, so that the rest of a damaged row can be deleted. */
export function withoutDamage<T extends object>(kind: TransferKind, row: T): T {
  const empty = Object.entries(kinds[kind].fields).map(([field, { type }]) => [field, emptyOf[type]])
  return { ...Object.fromEntries(empty), ...row }
}

/** Returns what was read in a list of one, and an empty list for a damaged row: one row never takes a list or a poll with it. */
export function ifReadable<T>(read: () => T): T[] {
  try {
    return [read()]
  } catch (error) {
    if (!(error instanceof DamagedRow)) throw error
    reportLeftOut({ kind: error.kind, id: error.id, reason: error.message })
    return []
  }
}
