import path from 'node:path'
import Database from 'better-sqlite3'
import { withDatabase } from './mongo-database.ts'
import type { RunningService } from './start-service.ts'

/**
 * Returns the tables or collections in which a row holds the text, in letters of either case, by the names of their kinds,
 * sorted. The search index of SQLite is left out: it holds pieces of three letters.
 */
export async function kindsHolding(
  { dataDir, databaseUrl }: RunningService,
  text: string,
): Promise<string[]> {
  const rows = databaseUrl === undefined ? rowsOfSqlite(dataDir) : await rowsOfMongo(databaseUrl)
  return rows
    .filter(([, found]) => JSON.stringify(found).toLowerCase().includes(text))
    .map(([name]) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()))
    .sort()
}

type Rows = [name: string, rows: unknown[]][]

function rowsOfSqlite(dataDir: string): Rows {
  const db = new Database(path.join(dataDir, 'crm.sqlite'), { readonly: true })
  try {
    const tables = db.prepare<[], { name: string }>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%\\_search%' ESCAPE '\\'`,
    )
    return tables.all().map(({ name }) => [name, db.prepare(`SELECT * FROM ${name}`).all()])
  } finally {
    db.close()
  }
}

function rowsOfMongo(url: string): Promise<Rows> {
  return withDatabase(url, async (connection) => {
    const names = (await connection.listCollections()).map(({ name }) => name)
    return Promise.all(
      names.map(async (name): Promise<Rows[number]> => {
        return [name, await connection.collection(name).find({}).toArray()]
      }),
    )
  })
}
