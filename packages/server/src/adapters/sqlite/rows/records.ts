import type { PageOf } from '../../../ports/pages.ts'
import type { Kind, Records } from '../../../storage/kinds/registry.ts'
import type { Stored } from '../../../storage/records.ts'
import type { CountedPage } from '../lists/list-reader.ts'

export interface RecordRow {
  version: number
  doc: string
}

export function toRecord<K extends Kind>({ version, doc }: RecordRow): Stored<Records[K]> {
  const record = JSON.parse(doc) as Records[K] & { version: number }
  record.version = version
  return record
}

export function toRecordPage<K extends Kind>(page: CountedPage): PageOf<Records[K]> {
  return { ...page, rows: page.rows.map((row) => toRecord<K>(row as unknown as RecordRow)) }
}
