import { type Customer, type Problem, referenceProblem, validationFailure } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { customerOfRecord } from '../../shared/customer-of-record.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import type { Actor } from '../caller.ts'

interface References {
  customerId?: string | null | undefined
  assignedTo?: string | null | undefined
  inboxId?: string | undefined
}

/**
 * Checks that every id of a body names a row of this tenant, and a user who is active. Throws VALIDATION_ERROR with
 * a problem for each id that does not, and with the problems in `others`. Returns the inbox that it read.
 */
export async function assertReferences(
  store: TenantReads,
  { customerId, assignedTo, inboxId }: References,
  others: readonly Problem[] = [],
): Promise<{ inbox: InboxRecord | undefined }> {
  const [customer, user, inbox] = await Promise.all([
    customerId ? store.customers.find(customerId) : undefined,
    assignedTo ? store.users.find(assignedTo) : undefined,
    inboxId === undefined ? undefined : store.inboxes.find(inboxId),
  ])
  const missing: string[] = []
  if (customerId && customer === undefined) missing.push('customerId')
  if (assignedTo && !user?.isActive) missing.push('assignedTo')
  if (inboxId !== undefined && inbox === undefined) missing.push('inboxId')
  const problems = [...missing.map((field) => referenceProblem(field)), ...others]
  if (problems.length > 0) throw validationFailure(problems)
  return { inbox }
}

/** Returns the customer of a conversation as a caller may see them: without read:customers, only id and name. */
export async function findShownCustomer(
  store: TenantReads,
  { customerId, actor }: { customerId: string | null; actor: Pick<Actor, 'permissions'> },
) {
  const found = customerId === null ? undefined : await store.customers.find(customerId)
  if (found === undefined) return null
  if (actor.permissions.includes('read:customers')) return customerOfRecord(found)
  const { firstName, lastName } = found.profile
  return { _id: found._id, profile: { firstName, lastName } }
}

/**
 * Returns a patch that changes nothing but makes the commit conflict when the customer was erased since it was read:
 * no row may refer to an erased customer.
 */
export function customerGuard(customerId: string | null | undefined): Write[] {
  return customerId ? [{ op: 'patch', kind: 'customers', id: customerId }] : []
}

/** Returns the customer of a conversation; null when it has none or the customer was deleted in the meantime. */
export async function findCustomerOf(
  store: TenantReads,
  customerId: string | null,
): Promise<Customer | null> {
  const customer = customerId === null ? undefined : await store.customers.find(customerId)
  return customer ? customerOfRecord(customer) : null
}
