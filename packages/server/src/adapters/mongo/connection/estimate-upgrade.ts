import type { UpgradeEstimate } from '../../../ports/upgrade-estimate.ts'
import type { Across, Database } from './access.ts'
import type { CollectionName } from './collections.ts'
import { openConnection } from './connection.ts'
import type { Filter } from './filters.ts'
import { schemaSteps, schemaVersion } from './migrate.ts'
import { readSchema } from './schema-state.ts'
import { createDatabase } from './scope.ts'

/** Counts the documents that the steps of an upgrade would change, and changes none. Undefined where there is nothing to upgrade. */
export async function estimateMongoUpgrade(url: string): Promise<UpgradeEstimate | undefined> {
  const connection = await openConnection(url)
  try {
    const database = createDatabase(connection)
    const from = await readSchema(database)
    if (from === undefined || from >= schemaVersion) return undefined
    const rows = new Map<string, number>()
    const across = countingAccess(database.across(), rows)
    const counting: Database = { across: () => across, tenant: refused, startSession: refused }
    for (const { schema, run } of schemaSteps) if (from < schema) await run?.(across, counting)
    const touched = [...rows].filter(([, count]) => count > 0)
    return { from, to: schemaVersion, rows: Object.fromEntries(touched), seconds: undefined }
  } finally {
    await connection.close()
  }
}

function refused(): never {
  throw new Error('an estimate of an upgrade only counts')
}

/** Finds and changes nothing, and counts for each collection what it was asked for. */
function countingAccess(access: Across, rows: Map<string, number>): Across {
  const note = async (name: CollectionName, filter: Filter) => {
    const found = await access.count(name, filter, Number.MAX_SAFE_INTEGER)
    rows.set(name, (rows.get(name) ?? 0) + found)
    return 0
  }
  return {
    ...access,
    update: note,
    remove: note,
    async find(name, filter) {
      await note(name, filter)
      return []
    },
    upsert: async () => {},
    insert: refused,
    ensure: refused,
    upsertOne: refused,
    findAndUpdate: refused,
    updateByRefs: refused,
    updateEachByRef: refused,
    upsertEachByRef: refused,
    removeByRefs: refused,
    removeGroups: refused,
  }
}
