import {
  type Customer,
  changesBetween,
  customerEvent,
  mergedCustomer,
  newCustomer,
  normalizeEmail,
  splitName,
  updatedCustomer,
  visitorName,
} from '@crmkit/core'
import type { Change, Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import type { SignedUser } from '../../security/user-token.ts'
import { absorbCustomer, pastOf } from '../../shared/absorb-customer.ts'
import { customerOfRecord } from '../../shared/customer-of-record.ts'
import { fieldsToSet } from '../../shared/last-contact.ts'
import { addressesAfter, type LearntAddresses } from '../../shared/learn-addresses.ts'
import { mergedAddresses } from '../../shared/merge-addresses.ts'
import { ownerOfAddress, typedAddressOf } from '../../shared/people-of-address.ts'
import { removalOf } from '../../shared/removal-of.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import type { WidgetPerson } from '../../storage/kinds/widget-persons.ts'
import type { WidgetSession } from '../../storage/kinds/widget-sessions.ts'
import type { Stored } from '../../storage/records.ts'
import type { AuditNote } from '../handler.ts'
import { type SystemContext, widgetOf } from '../system-handler.ts'

interface SignIn {
  personId: string
  user: SignedUser
}

interface SignedIn {
  person: WidgetPerson
  customer: Customer
  /** The anonymous session that ends. */
  former: Stored<WidgetSession> | undefined
  change: Change
  audit: AuditNote<'customer.merged'> | undefined
}

/** The customer of a person as the commit leaves it. */
interface Target {
  /** Undefined for a customer that the commit makes. */
  stored: Stored<CustomerRecord> | undefined
  customer: Customer
  record: Partial<CustomerRecord>
}

/**
 * Returns the change that signs a person in: the first time it links the person to a customer or makes one. The
 * conversations of the anonymous session that the request names move to the person.
 */
export async function signPersonIn(ctx: SystemContext, { personId, user }: SignIn): Promise<SignedIn> {
  const { tenantId } = widgetOf(ctx)
  const store = ctx.forTenant(tenantId)
  const known = await store.widgetPersons.find(personId)
  const stored = await findCustomer(store, { known, user })
  const target = targetOf(ctx, { stored, user })
  const person = known ?? newPerson(ctx, { personId, user, customerId: target.customer._id })
  const former = await findFormer(ctx, store)
  const visitor = former?.customerId ? await store.customers.find(former.customerId) : undefined
  const source = visitor && isOwnVisitor(visitor, { former, target }) ? visitor : undefined
  const merged = source ? absorbed(ctx, target, source) : target
  const addresses = await addressesOfSignIn(store, { target: merged, source, user, now: ctx.now })
  // Made after the event of the target, so that the order of the ids is the order of the events.
  const written = targetChange(ctx, merged, addresses)
  const absorbing = source && (await absorbCustomer({ ...ctx, store, source, targetId: merged.customer._id }))
  const moves = former ? await moveConversations(store, { former, source, person, target: merged }) : []
  const writes: Write[] = [
    ...written.writes,
    ...(known ? [] : [{ op: 'insert', kind: 'widgetPersons', row: person } as const]),
    ...(absorbing?.writes ?? []).filter((write) => !isAbout(write, [...moves, former?._id])),
    ...moves.map(({ write }) => write),
    ...(former ? [removalOf('widgetSessions', former)] : []),
  ]
  const audit: SignedIn['audit'] = source && {
    action: 'customer.merged',
    target: { type: 'customer', _id: merged.customer._id },
    reason: `merged from ${source._id}`,
  }
  const events = [...written.events, ...(absorbing?.events ?? [])]
  return { person, customer: merged.customer, former, change: { writes, events }, audit }
}

/** A row is written once in a commit: moves of the visitor's own rows take the place of those of the merge. */
function isAbout(write: Write, rows: readonly ({ write: Write } | string | undefined)[]): boolean {
  if (!('id' in write)) return false
  return rows.some((row) => (typeof row === 'object' ? 'id' in row.write && row.write.id : row) === write.id)
}

async function findCustomer(
  store: TenantReads,
  { known, user }: { known: WidgetPerson | undefined; user: SignedUser },
): Promise<Stored<CustomerRecord> | undefined> {
  if (known) return store.customers.find(known.customerId)
  return user.email === null ? undefined : ownerOfAddress(store, normalizeEmail(user.email))
}

/** Signed attributes fill blank fields only: the team may know better. */
function targetOf(
  ctx: SystemContext,
  { stored, user }: { stored: Stored<CustomerRecord> | undefined; user: SignedUser },
): Target {
  const name = user.name === null ? undefined : splitName(user.name)
  if (stored === undefined) {
    const { tenantId } = widgetOf(ctx)
    const { firstName = visitorName, lastName = null } = name ?? {}
    const making = { id: ctx.ids.next('cus'), tenantId, now: ctx.now, eventId: '' }
    const { customer } = newCustomer({ firstName, lastName, email: user.email }, making)
    return { stored, customer, record: {} }
  }
  const before = customerOfRecord(stored)
  const { firstName, lastName, email } = before.profile
  const isUnnamed = lastName === null && (firstName === null || firstName === visitorName)
  const filled = {
    ...(isUnnamed && name),
    // A typed address gives way to a signed one.
    ...(user.email !== null && (email === null || typedAddressOf(stored) !== null) && { email: user.email }),
  }
  const { customer } = updatedCustomer(before, filled, ctx.now)
  return { stored, customer, record: 'email' in filled ? { typedEmail: null } : {} }
}

function newPerson(
  ctx: SystemContext,
  { personId, user, customerId }: SignIn & { customerId: string },
): WidgetPerson {
  const { tenantId, inbox } = widgetOf(ctx)
  return {
    _id: personId,
    tenantId,
    inboxId: inbox._id,
    sub: user.sub,
    visitorId: ctx.ids.next('vis'),
    customerId,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
}

/** Returns the session of the request as it is now. A signed session, or one of another inbox, moves nothing. */
async function findFormer(
  ctx: SystemContext,
  store: TenantReads,
): Promise<Stored<WidgetSession> | undefined> {
  const { visitor, inbox, tenantId } = widgetOf(ctx)
  if (visitor === undefined || visitor.session.tenantId !== tenantId) return undefined
  const session = await store.widgetSessions.find(visitor._id)
  return session?.inboxId === inbox._id && session.personId === null ? session : undefined
}

/** Only the customer that the session itself made is merged, never one into whom the team has merged it. */
function isOwnVisitor(
  visitor: CustomerRecord,
  { former, target }: { former: WidgetSession | undefined; target: Target },
): boolean {
  return (
    visitor._id !== target.customer._id &&
    visitor.visitorId === former?.visitorId &&
    (visitor.mergedFrom ?? []).length === 0 &&
    (visitor.unmerging ?? null) === null
  )
}

/** The target after the merge. Its visitor's own words about name and address are not trusted. */
function absorbed(ctx: SystemContext, target: Target, source: Stored<CustomerRecord>): Target {
  const visitor = customerOfRecord(source)
  const profile = { ...visitor.profile, firstName: null, lastName: null }
  if (typedAddressOf(source) !== null) profile.email = null
  const { customer } = mergedCustomer(target.customer, { ...visitor, profile }, ctx)
  return { ...target, customer, record: { ...target.record, ...pastOf(target.stored ?? {}, source) } }
}

/** Returns what the sign-in says about addresses. A signed one that is not `profile.email` is one more of the person. */
async function addressesOfSignIn(
  store: TenantReads,
  { target, source, user, now }: SignedTarget,
): Promise<LearntAddresses> {
  const { stored: before } = target
  const after: CustomerRecord = { ...before, ...target.customer, ...target.record }
  if (source) return mergedAddresses(store, { target: before, source, after, signed: user.email, now })
  const more = { addresses: user.email === null ? [] : [user.email], source: 'signed', madeBy: null } as const
  return addressesAfter(store, { before, after, more, now })
}

interface SignedTarget {
  target: Target
  /** The customer of the anonymous session, whom the commit merges. */
  source: Stored<CustomerRecord> | undefined
  user: SignedUser
  now: string
}

function targetChange(
  ctx: SystemContext,
  { stored, customer, ...target }: Target,
  addresses: LearntAddresses,
): Change {
  const making = { eventId: ctx.ids.next('evt'), now: ctx.now }
  const record = { ...target.record, ...addresses.set }
  if (stored === undefined) {
    const event = customerEvent('customer.created', { customer, ...making })
    const made: Write = { op: 'insert', kind: 'customers', row: { ...customer, ...record } }
    return { writes: [made, ...addresses.writes], events: [event] }
  }
  const changes = changesBetween(customerOfRecord(stored), customer)
  const hasChanges = Object.keys(changes).length > 0
  if (!hasChanges && Object.keys(record).length === 0 && addresses.writes.length === 0) {
    // No row may refer to a customer who is erased at this moment.
    return { writes: [{ op: 'patch', kind: 'customers', id: customer._id }], events: [] }
  }
  const { _id: id } = customer
  const write: Write = {
    op: 'update',
    kind: 'customers',
    id,
    expectVersion: stored.version,
    set: { ...fieldsToSet(customer, stored), ...record },
  }
  const event = customerEvent('customer.updated', {
    customer,
    changes,
    ...making,
    mergedFrom: record.mergedFrom ?? stored.mergedFrom,
  })
  return { writes: [write, ...addresses.writes], events: hasChanges ? [event] : [] }
}

interface Moved {
  former: WidgetSession
  source: CustomerRecord | undefined
  person: WidgetPerson
  target: Target
}

/** Returns the writes that give all conversations of the session to the person. Nobody has worked on them: no event. */
async function moveConversations(
  store: TenantReads,
  { former, source, person, target }: Moved,
): Promise<{ write: Write }[]> {
  const moved: { write: Write }[] = []
  let cursor: string | undefined
  do {
    const filter = { visitorId: former.visitorId, sort: 'createdAt', page: 1, limit: 100, cursor } as const
    const { rows, nextCursor } = await store.conversations.listRows(filter)
    for (const { _id: id, version: expectVersion, customerId } of rows) {
      const isOfSource = source !== undefined && customerId === source._id
      const set = { visitorId: person.visitorId, ...(isOfSource && { customerId: target.customer._id }) }
      moved.push({ write: { op: 'update', kind: 'conversations', id, expectVersion, set } })
    }
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
  return moved
}
