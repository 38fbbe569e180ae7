import type { Write } from '../../ports/change.ts'
import type { TenantStore } from '../../ports/storage.ts'
import { contactOf } from '../../shared/last-contact.ts'
import { readAll } from '../../shared/read-all.ts'

type FoundMessage = Awaited<ReturnType<TenantStore['messages']['list']>>['rows'][number]

const pageSize = 100

/**
 * Returns the writes for the customers whose last contact was one of the messages that these writes remove: it is the newest
 * of their messages that stay. They conflict with a message that the customer writes at the same moment.
 */
export async function contactsAfter(store: TenantStore, writes: readonly Write[]): Promise<Write[]> {
  const ids = writes.flatMap((write) =>
    write.op === 'remove' && write.kind === 'messages' ? [write.id] : [],
  )
  const found = await Promise.all(ids.map((id) => store.messages.find(id)))
  const messages = found.filter((message) => message !== undefined)
  const byAuthor = Map.groupBy(messages, contactOf)
  const changed = [...byAuthor].map(([author, removed]) =>
    author === undefined ? [] : contactAfter(store, author, removed),
  )
  return (await Promise.all(changed)).flat()
}

async function contactAfter(
  store: TenantStore,
  id: string,
  removed: readonly FoundMessage[],
): Promise<Write[]> {
  const { lastContactAt = null } = (await store.customers.find(id)) ?? {}
  if (lastContactAt === null || removed.every(({ createdAt }) => createdAt < lastContactAt)) return []
  const newest = await newestContact(store, id, new Set(removed.map(({ _id }) => _id)))
  if (newest !== null && newest >= lastContactAt) return []
  const set = { lastContactAt: newest }
  return [{ op: 'patch', kind: 'customers', id, when: { lastContactAt }, set }]
}

async function newestContact(
  store: TenantStore,
  authorId: string,
  removed: ReadonlySet<string>,
): Promise<string | null> {
  const own = readAll((cursor) =>
    store.messages.listRows({ authorId, sort: '-createdAt', page: 1, limit: pageSize, cursor }),
  )
  for await (const message of own) {
    if (contactOf(message) === authorId && !removed.has(message._id)) return message.createdAt
  }
  return null
}
