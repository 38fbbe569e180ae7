import type { Conversation, Crm } from '@crmkit/sdk'

/** The names of the ids in some conversations; an id without an entry is shown as it is. */
export interface Names {
  readonly customers: ReadonlyMap<string, string>
  readonly users: ReadonlyMap<string, string>
  readonly inboxes: ReadonlyMap<string, string>
}

/** More customers than a screen has lines are not looked up: each costs a request. */
const customersMax = 60
const customersAtOnce = 6
const usersMax = 1_000

/** Reads the names that a table of conversations shows. */
export async function readNames(crm: Crm, rows: readonly Conversation[]): Promise<Names> {
  const [customers, users, inboxes] = await Promise.all([
    readCustomers(
      crm,
      idsOf(rows, ({ customerId }) => customerId),
    ),
    readUsers(
      crm,
      idsOf(rows, ({ assignedTo }) => assignedTo),
    ),
    // Only the card of one conversation shows the inbox.
    rows.length === 1 ? readInboxes(crm) : new Map<string, string>(),
  ])
  return { customers, users, inboxes }
}

function idsOf(rows: readonly Conversation[], idOf: (row: Conversation) => string | null): readonly string[] {
  return [...new Set(rows.flatMap((row) => idOf(row) ?? []))]
}

async function readCustomers(crm: Crm, ids: readonly string[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  const waiting = ids.slice(0, customersMax)
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      const customer = await orNothing(crm.customers.get(id))
      if (customer) names.set(id, nameOfCustomer(customer))
    }
  }
  await Promise.all(Array.from({ length: customersAtOnce }, work))
  return names
}

async function readUsers(crm: Crm, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const users = await orNothing(crm.users.list().toArray({ limit: usersMax }))
  return new Map(users?.map((user) => [user._id, nameOfUser(user)]))
}

async function readInboxes(crm: Crm): Promise<Map<string, string>> {
  const inboxes = await orNothing(crm.inboxes.list().toArray())
  return new Map(inboxes?.map(({ _id, name }) => [_id, name]))
}

/** A credential may read conversations without people, and a customer may be erased meanwhile: then the id is shown. */
async function orNothing<Value>(request: PromiseLike<Value>): Promise<Value | undefined> {
  const { ApiError } = await import('@crmkit/sdk')
  try {
    return await request
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

interface Person {
  readonly firstName: string | null
  readonly lastName: string | null
}

export function nameOfUser({ firstName, lastName, email }: Person & { readonly email: string }): string {
  return [firstName, lastName].filter(Boolean).join(' ') || email
}

interface NamedCustomer {
  readonly _id: string
  readonly profile: Person & {
    readonly email?: string | null | undefined
    readonly company?: string | null | undefined
  }
}

export function nameOfCustomer({ profile }: NamedCustomer): string {
  const name = [profile.firstName, profile.lastName].filter(Boolean).join(' ')
  return name || profile.email || profile.company || 'without a name'
}
