import { isPhoneNumber, type StoredDraft } from '@crmkit/core'
import { hiddenRows } from '../../imports/run/erased-rows.ts'
import { withoutWords } from '../../imports/run/survey-again.ts'
import type { Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { draftWithout } from '../../shared/erased-address.ts'
import { addressesOf, ownAddressOf, peopleOfAddress, typedAddressOf } from '../../shared/people-of-address.ts'
import { phonesOf } from '../../shared/people-of-phone.ts'
import { readAll } from '../../shared/read-all.ts'
import { removalOf } from '../../shared/removal-of.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import type { TaskRecord } from '../../storage/kinds/tasks.ts'
import { customerGuard } from '../conversations/conversation-references.ts'
import type { HandlerContext } from '../handler.ts'

const pageSize = 100

export interface Deletion extends Pick<HandlerContext, 'store' | 'ids' | 'now' | 'tenantId'> {
  /** When it was asked for; without it now. Later mail and later calls stay. */
  until?: string
}

/**
 * Returns the writes that belong in the commit that erases a customer, before the erasure itself: a task for each address and phone
 * number that the customer has or had, because mails and calls name people by these, which are deleted with the customer.
 */
export async function addressErasures(deletion: Deletion, customer: CustomerRecord): Promise<Write[]> {
  const { store } = deletion
  const addresses = new Set((await addressesOf(store, customer)).map(({ address }) => address))
  const typed = typedAddressOf(customer)
  const isOther = typed !== null && !addresses.has(typed)
  const drafts = isOther ? await draftWrites(store, customer, new Set([typed])) : []
  const phones = [...(await phonesOf(store, customer))]
  return [...drafts, ...(await erasuresOf(deletion, customer, [...addresses, ...phones]))]
}

/** Returns the writes that erase addresses and phone numbers which a customer had, also where the customer has no row any more. */
export async function erasuresOf(
  deletion: Deletion,
  customer: Pick<CustomerRecord, '_id'>,
  names: readonly string[],
): Promise<Write[]> {
  const phones = names.filter(isPhoneNumber)
  const known = new Set(names.filter((name) => !isPhoneNumber(name)))
  const writes = [...known].map(async (address): Promise<Write[]> => {
    const suppression = await suppressionWrites(deletion, customer, address)
    return [...suppression, taskOf(deletion, customer, { type: 'eraseAddress', targetId: address })]
  })
  const { store, now } = deletion
  const drafts = await draftWrites(store, customer, known)
  const hidden = await hiddenRows(store, { customerId: customer._id, addresses: [...known], now })
  const files = await withoutWords(store, hidden, now)
  return [
    ...drafts,
    ...files,
    ...(await Promise.all(writes)).flat(),
    ...phones.map((phone) => taskOf(deletion, customer, { type: 'erasePhone', targetId: phone })),
  ]
}

function taskOf(
  { ids, now, until = now, tenantId }: Deletion,
  { _id: subjectId }: Pick<CustomerRecord, '_id'>,
  task: Pick<TaskRecord, 'type' | 'targetId'>,
): Write {
  const row: TaskRecord = { _id: ids.next('tsk'), tenantId, ...task, subjectId, requestedAt: until }
  return { op: 'insert', kind: 'tasks', row }
}

/** Drafts in conversations that are somebody else's by now say for whose address they were saved. The others are deleted. */
async function draftWrites(
  store: TenantReads,
  { _id }: Pick<CustomerRecord, '_id'>,
  addresses: Iterable<string>,
): Promise<Write[]> {
  const writes: Write[] = []
  for (const address of addresses) {
    const drafts = readAll<StoredDraft>((cursor) =>
      store.drafts.listRows({ basisEmail: address, page: 1, limit: pageSize, cursor }),
    )
    for await (const { _id: id, conversationId } of drafts) {
      const customerId = (await store.conversations.find(conversationId))?.customerId ?? null
      const isTheirs = customerId === _id || (await isAddressOf(store, customerId, address))
      if (!isTheirs) writes.push(...(await withoutAddress(store, id, address)))
    }
  }
  return writes
}

async function withoutAddress(store: TenantReads, id: string, address: string): Promise<Write[]> {
  const draft = await store.drafts.find(id)
  if (draft === undefined) return []
  const set = draftWithout(draft, address)
  return set === undefined ? [] : [{ op: 'update', kind: 'drafts', id, expectVersion: draft.version, set }]
}

async function isAddressOf(store: TenantReads, id: string | null, address: string): Promise<boolean> {
  const customer = id === null ? undefined : await store.customers.find(id)
  return customer !== undefined && (ownAddressOf(customer) ?? typedAddressOf(customer)) === address
}

/** A mailbox that refuses mail refuses it for everybody who has the address: the next one takes the row over. */
async function suppressionWrites(
  { store, now }: Deletion,
  { _id }: Pick<CustomerRecord, '_id'>,
  address: string,
): Promise<Write[]> {
  const { rows } = await store.suppressedAddresses.listRows({ address, page: 1, limit: 1 })
  const [row] = rows
  if (row === undefined) return []
  const { current } = await peopleOfAddress(store, address)
  const [next] = current
    .filter((other) => other._id !== _id)
    .toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt))
  if (next === undefined) return [removalOf('suppressedAddresses', row)]
  const { _id: id, version: expectVersion } = row
  const set = { customerId: next._id, updatedAt: now }
  return [...customerGuard(next._id), { op: 'update', kind: 'suppressedAddresses', id, expectVersion, set }]
}
