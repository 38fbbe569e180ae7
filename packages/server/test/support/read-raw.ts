import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { withDatabase } from './mongo-database.ts'

interface RawDatabase {
  folder: string
  /** Undefined: SQLite, in the folder. */
  url: string | undefined
}

/** Everything that the database's own files hold, or its collections. */
export async function readRaw({ folder, url }: RawDatabase): Promise<string> {
  if (url === undefined) {
    return readdirSync(folder)
      .map((file) => readFileSync(path.join(folder, file), 'latin1'))
      .join('\n')
  }
  const documents = await withDatabase(url, async (connection) => {
    const names = (await connection.listCollections()).map(({ name }) => name)
    return Promise.all(names.map((name) => connection.collection(name).find({}).toArray()))
  })
  return JSON.stringify(documents)
}
