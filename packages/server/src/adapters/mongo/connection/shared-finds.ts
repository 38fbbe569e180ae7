import type { RowRef, StoredRow } from './access.ts'
import type { CollectionName } from './collections.ts'

/** More keys would make one command long for everybody who waits for it. */
const refsMax = 100

interface Waiting {
  ref: RowRef
  resolve(row: StoredRow | undefined): void
  reject(error: unknown): void
}

export type FindByRefs = (name: CollectionName, refs: readonly RowRef[]) => Promise<StoredRow[]>

function isOf({ tenantId, id }: RowRef, row: RowRef): boolean {
  return row.tenantId === tenantId && row.id === id
}

/** Returns each row that the batch asks for once: many ask for the same one, and a single key is the quickest find. */
function distinct(batch: readonly Waiting[]): RowRef[] {
  return [...new Map(batch.map(({ ref }) => [JSON.stringify([ref.tenantId, ref.id]), ref])).values()]
}

/** Reads a row by its key. */
export type FindOne = (name: CollectionName, ref: RowRef) => Promise<StoredRow | undefined>

/**
 * Reads rows by their keys, with one command for all reads of a collection that start in the same turn of the event
 * loop: a round trip costs several times what the database needs for a row. Each caller gets the row of its own
 * tenant and id alone. A read waits for no other command, so a single one is as quick as before.
 */
export function createSharedFinds(findByRefs: FindByRefs): FindOne {
  const waitingOf = new Map<CollectionName, Waiting[]>()

  async function send(name: CollectionName, batch: readonly Waiting[]): Promise<void> {
    try {
      const rows = await findByRefs(name, distinct(batch))
      for (const { ref, resolve } of batch) resolve(rows.find((row) => isOf(ref, row)))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  function sendAll(): void {
    const batches = [...waitingOf]
    waitingOf.clear()
    for (const [name, waiting] of batches) {
      for (let start = 0; start < waiting.length; start += refsMax) {
        void send(name, waiting.slice(start, start + refsMax))
      }
    }
  }

  return (name, ref) =>
    new Promise((resolve, reject) => {
      if (waitingOf.size === 0) setImmediate(sendAll)
      const waiting = waitingOf.get(name) ?? []
      waiting.push({ ref, resolve, reject })
      waitingOf.set(name, waiting)
    })
}
