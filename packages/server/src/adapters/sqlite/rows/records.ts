import type { Kind, Records } from '../../../storage/kinds/registry.ts'
import type { PageOf, RowsOf } from '../../../storage/pages.ts'
import type { Stored } from '../../../storage/records.ts'
import { ifReadable, readable } from '../../../storage/rules/readable-rows.ts'
import type { CountedPage, UncountedPage } from '../lists/list-reader.ts'

export interface RecordRow {
  version: number
  doc: string
}

/** Throws `DamagedRow` for a row that no version of the service can have written. */
export function toRecord<K extends Kind>(kind: K, { version, doc }: RecordRow): Stored<Records[K]> {
  const record = readable(kind, JSON.parse(doc) as Records[K] & { version: number })
  record.version = version
  return record
}

export function toRecordPage<K extends Kind>(kind: K, page: CountedPage): PageOf<Records[K]> {
  return { ...page, ...toRecordRows(kind, page) }
}

export function toRecordRows<K extends Kind>(
  kind: K,
  { rows, nextCursor }: UncountedPage,
): RowsOf<Records[K]> {
  return {
    rows: rows.flatMap((row) => ifReadable(() => toRecord(kind, row as unknown as RecordRow))),
    nextCursor,
  }
}
