import type { Conversation, Customer, IdFactory } from '@crmkit/core'
import { normalizeEmail } from '@crmkit/core/vocabulary'
import type { Change, Write } from '../ports/change.ts'
import type { TenantReads } from '../ports/storage.ts'
import type { CustomerMergeRecord, MovedRow } from '../storage/kinds/customer-merges.ts'
import type { CustomerRecord } from '../storage/kinds/customers.ts'
import { type Stored, withoutVersion } from '../storage/records.ts'
import { bySystem, changedLog } from './conversation-log.ts'
import { customerOfRecord } from './customer-of-record.ts'
import { passFaultPoint } from './fault-points.ts'
import { hasAddress } from './people-of-address.ts'
import { removalOf } from './removal-of.ts'

interface Context {
  store: TenantReads
  ids: IdFactory
  now: string
}

interface Return {
  /** The customer who was merged, and to whom the rows go back. */
  source: Customer
  target: CustomerRecord
  /** When the merge began: messages that are older have their author. */
  mergedAt: string
  /** Whether the source has this address. */
  isOfSource(address: string): Promise<boolean>
}

export interface Returned extends Change {
  /** Ids of conversations and calls that belong to somebody else by now. */
  kept: string[]
}

interface Linked {
  _id: string
  version: number
  customerId: string | null
  entityKind?: string
  entityId?: string
}

const messagesPage = 100

/** Returns the pages of rows that a merge moved, oldest first. */
export async function pagesOf(store: TenantReads, mergeId: string, limit: number) {
  const { rows } = await store.customerMerges.listRows({ pageOf: mergeId, page: 1, limit })
  return rows
}

/** Returns the change that gives the rows of some pages back to the source of their merge; the pages end with it. */
export async function returnedPages(
  ctx: Context,
  pages: readonly Stored<CustomerMergeRecord>[],
  to: Return,
): Promise<Returned> {
  const moved = await Promise.all(pages.flatMap((page) => page.moved.map((row) => returnedRow(ctx, row, to))))
  return {
    writes: [
      ...moved.flatMap(({ writes }) => writes),
      ...pages.map((page) => removalOf('customerMerges', page)),
    ],
    events: moved.flatMap(({ events }) => events),
    kept: moved.flatMap(({ kept }) => kept),
  }
}

const nothing: Returned = { writes: [], events: [], kept: [] }

async function returnedRow(ctx: Context, { kind, id }: MovedRow, to: Return): Promise<Returned> {
  const row: Linked | undefined = await ctx.store[kind].find(id)
  if (row === undefined) return nothing
  const isNamed = kind === 'conversations' || kind === 'calls'
  if (row.customerId !== to.target._id)
    return { ...nothing, kept: isNamed && row.customerId !== to.source._id ? [id] : [] }
  if (kind === 'conversations') return returnedConversation(ctx, id, to)
  // An undo of an import must not take the source for the row as its run has left it: the version was another one's.
  const relinked = { entityId: to.source._id, rowVersion: 0 }
  const isOfPerson = row.entityKind === 'customers' && row.entityId === to.target._id
  const set = { customerId: to.source._id, ...(isOfPerson && relinked) }
  return { ...nothing, writes: [{ op: 'update', kind, id, expectVersion: row.version, set } as Write] }
}

async function returnedConversation({ store, ids, now }: Context, id: string, to: Return): Promise<Returned> {
  const row = await store.conversations.find(id)
  if (row === undefined) return nothing
  // Conversations that were merged since stay together, and with one customer.
  if ((row.mergedInto ?? null) !== null || (row.mergedFrom ?? []).length > 0)
    return { ...nothing, kept: [id] }
  const set = { customerId: to.source._id, updatedAt: now }
  const conversation: Conversation = { ...withoutVersion(row), ...set }
  const changes = { customerId: { from: to.target._id, to: to.source._id } }
  const logged = { conversation, customer: to.source, changes, by: bySystem }
  const log = changedLog({ ids, now }, logged)
  return {
    writes: [
      { op: 'update', kind: 'conversations', id, expectVersion: row.version, set },
      ...log.writes,
      ...(await messageWrites(store, id, to)),
    ],
    events: log.events,
    kept: [],
  }
}

/** Messages that came while the two were one name the target as their author: in a conversation of the source they are the source's. */
async function messageWrites(store: TenantReads, conversationId: string, to: Return): Promise<Write[]> {
  const { source, target, mergedAt } = to
  const writes: Write[] = []
  let cursor: string | undefined
  do {
    const filter = { conversationId, sort: '-createdAt', page: 1, limit: messagesPage, cursor } as const
    const { rows, nextCursor } = await store.messages.listRows(filter)
    for (const { _id: id, version: expectVersion, sender, email, createdAt } of rows) {
      if (createdAt < mergedAt) return writes
      if (sender.type !== 'customer' || sender._id !== target._id) continue
      const address = email?.from?.address
      if (address !== undefined && !(await isWrittenBySource(store, normalizeEmail(address), to))) continue
      const set = { sender: { ...sender, _id: source._id } }
      writes.push({ op: 'update', kind: 'messages', id, expectVersion, set })
    }
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
  return writes
}

/** An address that both have, and one that nobody has, is the source's in a conversation of the source. */
async function isWrittenBySource(store: TenantReads, address: string, to: Return): Promise<boolean> {
  return (await to.isOfSource(address)) || !(await hasAddress(store, to.target, address))
}

/**
 * Returns the change that moves the next page of a merge that was taken back, and at the end makes both customers whole again. Undefined
 * where nothing is left to do.
 */
export async function nextReturn(
  { store, ids, now }: Context,
  merge: Stored<CustomerMergeRecord>,
): Promise<Returned | undefined> {
  if (merge.state !== 'returning') return undefined
  const [target, source] = await Promise.all([
    store.customers.find(merge.customerId),
    store.customers.find(merge.sourceId),
  ])
  if (target === undefined || source === undefined) return undefined
  passFaultPoint('between-merge-pages')
  const pages = await pagesOf(store, merge._id, 1)
  if (pages.length === 0) return { ...nothing, writes: endOfReturn(merge, [target, source], now) }
  const isOfSource = (address: string) => hasAddress(store, source, address)
  const to = { source: customerOfRecord(source), target, mergedAt: merge.createdAt, isOfSource }
  return returnedPages({ store, ids, now }, pages, to)
}

function endOfReturn(
  { _id, version: expectVersion }: Stored<CustomerMergeRecord>,
  customers: readonly Stored<CustomerRecord>[],
  updatedAt: string,
): Write[] {
  return [
    { op: 'update', kind: 'customerMerges', id: _id, expectVersion, set: { state: 'returned', updatedAt } },
    ...customers.map(({ _id: id, version }): Write => {
      return { op: 'update', kind: 'customers', id, expectVersion: version, set: { unmerging: null } }
    }),
  ]
}
