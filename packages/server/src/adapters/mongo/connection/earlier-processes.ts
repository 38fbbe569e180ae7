import type { Connection } from 'mongoose'

/** The name of every process of version 0.1.0 and before. Later ones add their version and process id. */
const earlierName = 'crmkit'
const namedMax = 5
/** Unauthorized, and the refusal of hosted clusters. */
const refusalCodes = new Set<unknown>([13, 8000])

interface Operation {
  client?: string
  client_s?: string
}

/** Returns the addresses from which processes of an earlier version are connected; none where the user may not ask. */
async function findEarlier(connection: Connection): Promise<string[]> {
  const admin = connection.getClient().db('admin')
  try {
    const operations = await admin
      .aggregate<Operation>(
        [
          // The connections of one's own user need no privilege.
          { $currentOp: { idleConnections: true, allUsers: false } },
          { $match: { appName: earlierName } },
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
 * Throws while processes of an earlier version use the database. They would go on to write rows without what the upgrade adds: such
 * rows are read with defaults, but searches and syncs do not find them.
 */
export async function assertAlone(connection: Connection): Promise<void> {
  const addresses = await findEarlier(connection)
  if (addresses.length === 0) return
  const named = addresses.slice(0, namedMax).join(', ')
  throw new Error(
    `processes of an earlier version use the database, from ${named}: stop them first, or run crm-server migrate --force`,
  )
}
