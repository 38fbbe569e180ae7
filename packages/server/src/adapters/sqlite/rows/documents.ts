import type { Kind } from '../../../storage/records.ts'
import type { Document } from '../../../storage/rules/rows.ts'
import { type KindTable, kindTables } from './kinds.ts'

export function tableOf(kind: Kind): KindTable<Document> {
  const table = Object.hasOwn(kindTables, kind) ? kindTables[kind] : undefined
  if (!table) throw new TypeError(`there is no kind ${kind}`)
  return table as unknown as KindTable<Document>
}
