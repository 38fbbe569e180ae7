import Database from 'better-sqlite3'
import mongoose from 'mongoose'
import { decodeRow, type EncodedRow, encodeRow } from '../../src/adapters/mongo/rows/encode-row.ts'
import { tableOf } from '../../src/adapters/sqlite/rows/kinds.ts'
import type { Kind } from '../../src/storage/kinds/registry.ts'

interface StoredRow {
  databaseUrl: string
  kind: Kind
  id: string
}

/** Changes a stored row behind the service's back, as an earlier version or a person with a database shell does. */
export async function changeStoredRow(
  { databaseUrl, kind, id }: StoredRow,
  change: (record: Record<string, unknown>) => Record<string, unknown>,
): Promise<void> {
  if (databaseUrl.startsWith('sqlite:')) {
    const db = new Database(databaseUrl.slice('sqlite:'.length))
    const { table } = tableOf(kind)
    const doc = db.prepare<[string], string>(`SELECT doc FROM ${table} WHERE id = ?`).pluck().get(id) ?? '{}'
    db.prepare(`UPDATE ${table} SET doc = ? WHERE id = ?`).run(JSON.stringify(change(JSON.parse(doc))), id)
    db.close()
    return
  }
  const connection = await mongoose.createConnection(databaseUrl).asPromise()
  const found = await connection.collection<{ id: string; row: EncodedRow }>(kind).findOne({ id })
  if (found === null) throw new Error(`there is no ${kind} ${id}`)
  await connection
    .collection(kind)
    .updateOne({ id }, { $set: { row: encodeRow(change(decodeRow(found.row))) } })
  await connection.close()
}

interface StoredKey extends StoredRow {
  /** The name of the computed value. */
  key: string
  /** The collection of MongoDB that holds it, where it is not that of the kind. */
  collection?: string
}

/** Changes a computed value behind the service's back: an earlier version may have worked it out in another way. */
export async function changeStoredKey(
  { databaseUrl, kind, id, key, collection = kind }: StoredKey,
  value: string,
): Promise<void> {
  if (databaseUrl.startsWith('sqlite:')) {
    const db = new Database(databaseUrl.slice('sqlite:'.length))
    const column = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    db.prepare(`UPDATE ${tableOf(kind).table} SET ${column} = ? WHERE id = ?`).run(value, id)
    db.close()
    return
  }
  const connection = await mongoose.createConnection(databaseUrl).asPromise()
  const found = await connection
    .collection(collection)
    .updateOne({ id }, { $set: { [`keys.${key}`]: value } })
  await connection.close()
  if (found.matchedCount === 0) throw new Error(`${collection} has no ${id}`)
}
