import type { Connection, mongo } from 'mongoose'
import type { CollectionName } from './collections.ts'
import { isRouter } from './connection.ts'

/** As long as a commit is tried again: longer than an election, shorter than a client's patience. */
const proofMaxMs = 10_000

/** Runs a read outside of transactions so that it sees every change that was acknowledged before it, by any process. */
export type ReadFromProven = <T>(read: () => Promise<T>) => Promise<T>

function primaryOf({ servers }: mongo.TopologyDescription): string | undefined {
  const primary = [...servers.values()].find(({ type }) => type === 'RSPrimary')
  return primary && `${primary.address} ${primary.electionId}`
}

/** The read itself is of no use: the server replies to it only after a majority has followed it in its own term. */
async function prove({ db }: Connection): Promise<void> {
  if (db === undefined) throw new Error('the connection has no database')
  const state: CollectionName = 'serverState'
  const options = { readConcern: 'linearizable', maxTimeMS: proofMaxMs, projection: { _id: 1 } } as const
  await db.collection<{ _id: string }>(state).findOne({ _id: 'heartbeat' }, options)
}

/**
 * A new primary has all acknowledged changes, but it learns only after its election, in a second or more, which of
 * them the majority has. Until then a majority read there shows the rows as they were before. So the first read from
 * each primary waits for a proof that it knows, and a read during which the primary changed is made again, because it
 * may have gone to the old one. Otherwise a read sends no command more.
 */
export function createReadFromProven(connection: Connection): ReadFromProven {
  let primary: string | undefined
  let changes = 0
  let proof: Promise<void> | undefined

  connection.getClient().on('topologyDescriptionChanged', ({ previousDescription, newDescription }) => {
    // The first report may be of another member, long after the connection knew its primary.
    primary ??= primaryOf(previousDescription)
    const found = primaryOf(newDescription)
    // One that was lost and is back in the same term was the only primary all the time.
    if (found === undefined || found === primary) return
    primary = found
    changes += 1
    proof = undefined
  })

  function proven(): Promise<void> {
    if (proof) return proof
    const started = prove(connection)
    started.catch(() => {
      if (proof === started) proof = undefined
    })
    proof = started
    return started
  }

  return async (read) => {
    // Behind a router the primaries of the shards are not visible.
    if (isRouter(connection)) return read()
    for (;;) {
      const before = changes
      await proven()
      const result = await read()
      if (changes === before) return result
    }
  }
}
