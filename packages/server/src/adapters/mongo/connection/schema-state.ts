import type { Database } from './access.ts'
import { trusted } from './filters.ts'

export interface SchemaState {
  version: number
  /** Programs that work with this schema or a later one may serve. */
  servedFrom: number
}

const stateId = 'schema'

/** Returns the state of the schema; undefined for an empty database. */
export async function readSchemaState(database: Database): Promise<SchemaState | undefined> {
  const [found] = await database.across().find('serverState', { _id: stateId })
  if (found === undefined) return undefined
  const { version, row } = found
  // A program without this rule raises the version alone: nobody says then that an earlier program may serve.
  const servedFrom = row?.['of'] === version ? Number(row['servedFrom']) : version
  return { version, servedFrom }
}

/** Returns the version of the schema; undefined for an empty database. */
export async function readSchema(database: Database): Promise<number | undefined> {
  return (await readSchemaState(database))?.version
}

/**
 * Raises the schema to this one, unless another process has raised it further. Both values change at once: a process of before
 * that saw the version alone would end.
 */
export async function writeSchemaState(
  database: Database,
  { version, servedFrom }: SchemaState,
): Promise<void> {
  const across = database.across()
  const state = { version, row: { of: version, servedFrom } }
  await across.upsert('serverState', stateId, { $setOnInsert: state })
  const earlier = { _id: stateId, version: trusted({ $lte: version }) }
  await across.update('serverState', earlier, { $set: state })
}
