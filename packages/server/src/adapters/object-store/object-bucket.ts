import {
  isRefused,
  listPages,
  type ObjectPlace,
  openObjectClient,
  type StoredObject,
} from './object-client.ts'

/** Small objects of one folder of a bucket. A store that is away or refuses throws `StorageUnavailable`. */
export interface ObjectBucket {
  /** The objects whose names come after one, in the order of the names. */
  list(after: string): Promise<StoredObject[]>
  read(name: string): Promise<Buffer>
  /** Returns false where an object of this name exists already. */
  create(name: string, body: string): Promise<boolean>
  overwrite(name: string, body: string): Promise<void>
}

export function openObjectBucket(place: ObjectPlace): ObjectBucket {
  const client = openObjectClient(place)
  const { ask, must, refusal, prefix } = client
  return {
    async list(after) {
      const found: StoredObject[] = []
      for await (const page of listPages(client, after)) found.push(...page)
      return found
    },
    read: async (name) => (await must({ name: prefix + name })).body,
    async create(name, body) {
      const headers = { 'if-none-match': '*' }
      const reply = await ask({ method: 'PUT', name: prefix + name, headers, body: Buffer.from(body) })
      // 409: another request writes the same name at this moment.
      if (reply.status === 412 || reply.status === 409) return false
      if (isRefused(reply)) throw refusal(reply)
      return true
    },
    async overwrite(name, body) {
      await must({ method: 'PUT', name: prefix + name, body: Buffer.from(body) })
    },
  }
}
