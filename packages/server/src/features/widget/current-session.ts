import {
  type CurrentWidgetSession,
  type Customer,
  customerEvent,
  type getWidgetSession,
  invalidState,
  type UpdateWidgetSessionBody,
  updatedCustomer,
  type updateWidgetSession,
  visitorName,
} from '@crmkit/core'
import { normalizeEmail } from '@crmkit/core/vocabulary'
import { chatMailWrites } from '../../mail/out/plan-chat-mail.ts'
import type { Change, Write } from '../../ports/change.ts'
import { customerOfRecord } from '../../shared/customer-of-record.ts'
import { fieldsToSet } from '../../shared/last-contact.ts'
import { addressesAfter } from '../../shared/learn-addresses.ts'
import { typedAddressOf } from '../../shared/people-of-address.ts'
import { visitorAddressOf } from '../../shared/visitor-address.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import type { TypedProfile, WidgetSession } from '../../storage/kinds/widget-sessions.ts'
import type { Stored } from '../../storage/records.ts'
import type { Visitor } from '../caller.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { getSession } from './visitor-rows.ts'

export const handleGetWidgetSession: Handler<typeof getWidgetSession> = async ({ store, actor }) => {
  const session = await getSession(store, actor)
  const customer = await customerOf(store, session)
  return { reply: { success: true, data: shownSession(session, customer) } }
}

/** Sets what an anonymous visitor typed, in the session and in the customer that the session made. */
export const handleUpdateWidgetSession: Handler<typeof updateWidgetSession> = async (ctx, { body }) => {
  const { store, actor, now } = ctx
  const session = await getSession(store, actor)
  if (session.personId !== null)
    throw invalidState('The page has signed this visitor in, and says their address', 'signed', ['anonymous'])
  const customer = await customerOf(store, session)
  const before = typedProfileOf(session, customer)
  const profile = typedAfter(before, body)
  const change: Change = { writes: [], events: [] }
  const isSame = JSON.stringify(profile) === JSON.stringify(session.profile)
  if (!isSame) change.writes.push(profileWrite(session, { profile, updatedAt: now }))
  const made = customer?.visitorId === session.visitorId ? customer : undefined
  if (profile.email !== null) change.writes.push(...(await unreadWrites(ctx, session)))
  const changed = made && (await customerChange(ctx, { stored: made, before, profile }))
  if (changed) {
    change.writes.push(...changed.writes)
    change.events.push(...changed.events)
  }
  const data = shownSession({ ...session, profile }, changed?.customer ?? customer)
  return { reply: { success: true, data }, ...(change.writes.length > 0 && { change }) }
}

/** Replies that the visitor has not read had nowhere to go by mail before. */
async function unreadWrites(
  { store, now }: Pick<HandlerContext<Visitor>, 'store' | 'now'>,
  { visitorId }: WidgetSession,
): Promise<Write[]> {
  const filter = { visitorId, sort: '-createdAt', page: 1, limit: conversationsMax } as const
  const { rows } = await store.conversations.listRows(filter)
  const unread = rows.filter(({ lastMessageAt, readAt }) => (lastMessageAt ?? '') > (readAt.customer ?? ''))
  return (await Promise.all(unread.map((row) => chatMailWrites(store, row, now)))).flat()
}

async function customerOf(
  { customers }: HandlerContext<Visitor>['store'],
  { customerId }: WidgetSession,
): Promise<Stored<CustomerRecord> | undefined> {
  return customerId === null ? undefined : customers.find(customerId)
}

/** A visitor who has just begun to give an address has few conversations. */
const conversationsMax = 20
const nothingTyped: TypedProfile = { firstName: null, lastName: null, email: null }

/** Sessions of earlier versions kept what was typed only until the first message made the customer. */
function typedProfileOf(session: WidgetSession, customer: CustomerRecord | undefined): TypedProfile {
  return session.profile ?? { ...nothingTyped, email: visitorAddressOf(session, customer) }
}

/** An absent name stays as it is; the address is always said. */
function typedAfter(
  before: TypedProfile,
  { email, firstName = before.firstName, lastName = before.lastName }: UpdateWidgetSessionBody,
): TypedProfile {
  return { firstName, lastName, email }
}

function profileWrite(
  { _id: id, version: expectVersion }: Stored<WidgetSession>,
  set: Partial<WidgetSession>,
): Write {
  return { op: 'update', kind: 'widgetSessions', id, expectVersion, set }
}

interface TypedChange {
  stored: Stored<CustomerRecord>
  before: TypedProfile
  profile: TypedProfile
}

/** Returns the change of the customer; undefined where nothing of it is blank or typed by this session. */
async function customerChange(
  { store, ids, now }: Pick<HandlerContext<Visitor>, 'store' | 'ids' | 'now'>,
  { stored, before, profile }: TypedChange,
): Promise<(Change & { customer: Customer }) | undefined> {
  const current = customerOfRecord(stored)
  const fields = { ...nameAfter(current, { before, profile }), ...emailAfter(stored, { before, profile }) }
  const { customer, changes } = updatedCustomer(current, fields, now)
  if (Object.keys(changes).length === 0) return undefined
  const typedEmail = 'email' in fields ? { typedEmail: profile.email } : {}
  const after = { ...stored, ...customer, ...typedEmail }
  const addresses = await addressesAfter(store, { before: stored, after, now })
  const set = { ...fieldsToSet(customer, stored), ...addresses.set, ...typedEmail }
  const { _id: id, version: expectVersion, mergedFrom } = stored
  const event = customerEvent('customer.updated', {
    customer,
    changes,
    eventId: ids.next('evt'),
    now,
    mergedFrom,
  })
  return {
    customer,
    writes: [{ op: 'update', kind: 'customers', id, expectVersion, set }, ...addresses.writes],
    events: [event],
  }
}

/** The address of the customer, when it is blank or what this session typed before; else it is the team's. */
function emailAfter(
  stored: CustomerRecord,
  { before, profile }: Pick<TypedChange, 'before' | 'profile'>,
): { email?: string | null } {
  const { email } = stored.profile
  const isTyped = before.email !== null && typedAddressOf(stored) === normalizeEmail(before.email)
  return (email === null || isTyped) && email !== profile.email ? { email: profile.email } : {}
}

/** The name, when it is blank or what this session typed before. Both parts go together: half a name of each helps nobody. */
function nameAfter(
  { profile: own }: Customer,
  { before, profile }: Pick<TypedChange, 'before' | 'profile'>,
): { firstName?: string | null; lastName?: string | null } {
  const { firstName, lastName } = profile
  if (firstName === null && lastName === null) return {}
  const isBlank = own.lastName === null && (own.firstName === null || own.firstName === visitorName)
  const isTyped = own.firstName === before.firstName && own.lastName === before.lastName
  return isBlank || isTyped ? { firstName, lastName } : {}
}

function shownSession(
  session: WidgetSession,
  customer: (Pick<Customer, '_id' | 'profile'> & Partial<CustomerRecord>) | undefined,
): CurrentWidgetSession {
  const { expiresAt, personId } = session
  return {
    expiresAt,
    verified: personId !== null,
    email: visitorAddressOf(session, customer),
    customer: { _id: customer?._id ?? null, firstName: customer?.profile.firstName ?? null },
  }
}
