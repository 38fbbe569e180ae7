import { collections } from '../connection/collections.ts'
import { openConnection } from '../connection/connection.ts'

/**
 * Gives the free space of every collection back to the disk of the primary, while it serves. The other members need the same,
 * each asked by itself: the driver speaks to the primary.
 */
export async function compactMongo(url: string): Promise<{ collections: number; freedBytes: number }> {
  const connection = await openConnection(url)
  try {
    const names = (await connection.listCollections()).map(({ name }) => name)
    const own = names.filter((name) => name in collections || name.startsWith('attachmentBytes.'))
    let freedBytes = 0
    for (const name of own) {
      const reply = await connection.db?.command({ compact: name, force: true })
      freedBytes += Number(reply?.['bytesFreed'] ?? 0)
    }
    return { collections: own.length, freedBytes }
  } finally {
    await connection.close()
  }
}
