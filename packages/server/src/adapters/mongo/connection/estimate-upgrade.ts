import type { UpgradeEstimate } from '../../../ports/upgrade-estimate.ts'
import type { Across, CollectionAccess, Database } from './access.ts'
import { openConnection } from './connection.ts'
import { createDatabase } from './scope.ts'
import type { CollectionName } from './collections.ts'
import type { Filter } from './filters.ts'
import { schemaSteps, schemaVersion } from './migrate.ts'
import { readSchema } from './schema-state.ts'

/** Counts the documents that the steps of an upgrade would change, and changes none. Undefined where there is nothing to upgrade. */
export async function estimateMongoUpgrade(url: string): Promise<UpgradeEstimate | undefined> {
  const connection = await openConnection(url)
  try {
    const database = createDatabase(connection)
    const from = await readSchema(database)
    if (from === undefined || from >= schemaVersion) return undefined
    const rows = new Map<string, number>()
    const across = countingAccess(database.across(), rows)
    for (const { schema, run } of schemaSteps)
      if (from < schema) await run?.(across, { ...database, across: () => across })
    const touched = [...rows].filter(([, count]) => count > 0)
    return { from, to: schemaVersion, rows: Object.fromEntries(touched), seconds: undefined }
  } finally {
    await connection.close()
  }
}

/** Finds and changes nothing, and counts for each collection what it was asked for. */
function countingAccess(across: Across, rows: Map<string, number>): Across {
  const note = async (name: CollectionName, filter: Filter) => {
    const found = await across.count(name, filter, Number.MAX_SAFE_INTEGER)
    rows.set(name, (rows.get(name) ?? 0) + found)
    return 0
  }
  const reads: Pick<CollectionAccess, 'update' | 'find'> = {
    update: note,
    find: async (name, filter) => {
      await note(name, filter)
      return []
    },
  }
  return { ...across, ...reads, upsert: async () => {} }
}
