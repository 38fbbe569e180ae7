import type { Write } from '../../ports/change.ts'
import { addressesOf, peopleOfAddress } from '../../shared/people-of-address.ts'
import { removalOf } from '../../shared/removal-of.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import type { TaskRecord } from '../../storage/kinds/tasks.ts'
import { customerGuard } from '../conversations/conversation-references.ts'
import type { HandlerContext } from '../handler.ts'

type Deletion = Pick<HandlerContext, 'store' | 'ids' | 'now' | 'tenantId'>

/**
 * Returns the writes that belong in the commit that erases a customer, before the erasure itself: a task for each address
 * that the customer has or had, because mails name people by their addresses, which are deleted with the customer.
 */
export async function addressErasures(deletion: Deletion, customer: CustomerRecord): Promise<Write[]> {
  const { store, ids, now, tenantId } = deletion
  const addresses = new Set((await addressesOf(store, customer)).map(({ address }) => address))
  const writes = [...addresses].map(async (address): Promise<Write[]> => {
    const row: TaskRecord = {
      _id: ids.next('tsk'),
      tenantId,
      type: 'eraseAddress',
      subjectId: customer._id,
      targetId: address,
      requestedAt: now,
    }
    const suppression = await suppressionWrites(deletion, customer, address)
    return [...suppression, { op: 'insert', kind: 'tasks', row }]
  })
  return (await Promise.all(writes)).flat()
}

/** A mailbox that refuses mail refuses it for everybody who has the address: the next one takes the row over. */
async function suppressionWrites(
  { store, now }: Deletion,
  { _id }: CustomerRecord,
  address: string,
): Promise<Write[]> {
  const { rows } = await store.suppressedAddresses.list({ address, page: 1, limit: 1 })
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
