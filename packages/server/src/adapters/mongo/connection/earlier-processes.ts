import type { Connection } from 'mongoose'
import type { Database } from './access.ts'
import { findProcesses } from './server-processes.ts'

/** The name of processes that nobody sees in `serverState`: until 0.1.0 without their version, in 0.2.0 with it. */
export const unseenName = '^crmkit(/\\S+ \\d+)?$'
const namedMax = 5
/** Unauthorized, and the refusal of hosted clusters. */
const refusalCodes = new Set<unknown>([13, 8000])

interface Operation {
  client?: string
  client_s?: string
}

/** Returns the addresses from which processes until 0.2.0 are connected; none where the user may not ask. */
async function findUnseen(connection: Connection, name: string): Promise<string[]> {
  const admin = connection.getClient().db('admin')
  try {
    const operations = await admin
      .aggregate<Operation>(
        [
          // The connections of one's own user need no privilege.
          { $currentOp: { idleConnections: true, allUsers: false } },
          { $match: { appName: { $regex: name } } },
        ],
        { readConcern: { level: 'local' } },
      )
      .toArray()
    const addresses = operations.map(
      ({ client, client_s: routed }) => client ?? routed ?? 'an unknown address',
    )
    return [...new Set(addresses.map((address) => address.replace(/:\d+$/, '')))]
  } catch (error) {
    if (refusalCodes.has((error as { code?: unknown }).code)) return []
    throw error
  }
}

/**
 * Throws while processes use the database that work with a schema before this one. They would go on to write rows without what
 * the upgrade adds: such rows are read with defaults, but searches and syncs do not find them.
 */
export async function assertAlone(
  connection: Connection,
  database: Database,
  { schema, unseen }: { schema: number; unseen: string },
): Promise<void> {
  const earlier = (await findProcesses(database)).filter((found) => found.schema < schema)
  const named = [
    ...earlier.map(({ processId, version }) => `process ${processId} of version ${version}`),
    ...(await findUnseen(connection, unseen)).map((address) => `a process from ${address}`),
  ]
  if (named.length === 0) return
  throw new Error(
    `processes of an earlier version use the database, and cannot work with schema ${schema}: ${named.slice(0, namedMax).join(', ')}. Stop them first, or run crm-server migrate --force`,
  )
}
