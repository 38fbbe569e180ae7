import { holds, type Row } from '../model.ts'
import { pickName, stepKind } from '../step-kind.ts'
import type { Body, Walker } from '../walker.ts'
import { mailInbox } from './conversations.ts'

const path = '/api/v1'
const owner = { as: 'owner' } as const
type Admin = 'owner' | 'agent' | 'key'
const admins = ['owner', 'owner', 'owner', 'agent', 'key'] as const
const roles = ['admin', 'agent', 'viewer'] as const

/** Team pages need a session of an admin: an agent and a key are refused. */
async function isRefused(
  walker: Walker,
  as: Admin,
  method: 'POST' | 'PUT' | 'DELETE',
  at: string,
  body?: unknown,
): Promise<boolean> {
  if (as === 'owner') return false
  await walker.expect(403, method, at, body, { as })
  return true
}

/** A user as the owner sees them. */
function seenByOwner({ model }: Walker, user: Row): Row {
  const isHidden =
    user.name !== 'u-owner' && 'availabilityMode' in user.fields && model.isRestricted(user.name)
  return isHidden ? { ...user, fields: { ...user.fields, availabilityMode: 'auto' } } : user
}

function shows(walker: Walker, data: Body, row: Row): void {
  const shown = Object.fromEntries(Object.keys(row.fields).map((field) => [field, data[field]]))
  walker.same(shown, row.fields, row.name)
}

/** A list shows the rows of the model, no other and each once. */
function lists(walker: Walker, rows: readonly Body[], expected: readonly Row[]): void {
  const names = rows.map((row) => walker.nameOf(row._id) ?? '')
  walker.same(names.toSorted(), expected.map(({ name }) => name).toSorted(), 'the names of a list')
  for (const row of rows) {
    const known = expected.find(({ name }) => name === walker.nameOf(row._id))
    if (known) shows(walker, row, known)
  }
}

export const teamSteps = {
  'users.create': stepKind<{ role: (typeof roles)[number]; isTaken: boolean; as: Admin }>({
    weight: 2,
    choose: ({ random, model }) =>
      model.alive(model.users).length > 12
        ? undefined
        : { role: random.pick(roles), isTaken: random.isOneIn(5), as: random.pick(admins) },
    async run(walker, { role, isTaken, as }, n) {
      const at = `${path}/users`
      const name = `u${n}`
      const body = { email: isTaken ? 'agent@acme.test' : `${name}@acme.test`, role, firstName: 'New' }
      if (await isRefused(walker, as, 'POST', at, body)) return
      if (isTaken) return void (await walker.expect(409, 'POST', at, body, owner))
      const { data } = await walker.expect(201, 'POST', at, body, owner)
      walker.name(name, data._id)
      const fields = { email: body.email, role, firstName: 'New', isActive: false }
      walker.model.users.set(name, { name, email: body.email, fields, isAccepted: false, isGone: false })
      walker.events.push(`user.created ${name}`)
      shows(walker, data, walker.model.users.get(name) as Row)
    },
  }),

  'users.update': stepKind<{ user: string; change: Record<string, string | boolean>; as: Admin }>({
    weight: 2,
    choose(choosing) {
      const { random, model } = choosing
      const user = pickName(choosing, model.users)
      const change: Record<string, string | boolean> = {
        firstName: random.pick(['Ann', 'Bo']),
        ...(random.isOneIn(3) && { role: random.pick(roles) }),
        ...(random.isOneIn(6) && { isActive: true }),
      }
      // These three walk through the whole house with their roles.
      if (user?.startsWith('u-')) return { user, change: { firstName: 'Same' }, as: random.pick(admins) }
      return user ? { user, change, as: random.pick(admins) } : undefined
    },
    async run(walker, { user: name, change, as }) {
      const at = `${path}/users/${walker.id(name)}`
      const user = walker.model.users.get(name)
      if (user === undefined || (await isRefused(walker, as, 'PUT', at, change))) return
      if (user.isGone) return void (await walker.expect(404, 'PUT', at, change, owner))
      // Only the person can make an invited user active.
      if (change['isActive'] === true && !user.isAccepted) {
        return void (await walker.expect(409, 'PUT', at, change, owner))
      }
      const { data } = await walker.expect(200, 'PUT', at, change, owner)
      const after = { ...user.fields, ...change }
      if (JSON.stringify({ ...after }) !== JSON.stringify(user.fields)) {
        walker.events.push(`user.updated ${name}`)
      }
      user.fields = after
      shows(walker, data, seenByOwner(walker, user))
    },
  }),

  'users.updateMe': stepKind<{
    firstName: string
    availability: string | null
    state: string
    as: 'owner' | 'agent'
  }>({
    weight: 1,
    choose: ({ random }) => ({
      firstName: random.pick(['Olive', 'Same']),
      availability: random.pick(['online', 'away', null]),
      state: random.pick(['active', 'idle']),
      as: random.pick(['owner', 'agent']),
    }),
    async run(walker, { as, state, ...change }) {
      const name = `u-${as}`
      // A user without a stream is not online by this, and it is no change of the user.
      await walker.expect(200, 'PUT', `${path}/users/me/activity`, { state }, { as })
      const before = await walker.quietly(`${path}/users/me`, { as })
      const { data } = await walker.expect(200, 'PUT', `${path}/users/me`, change, { as })
      const { firstName, availability } = change
      const availabilityMode = availability ?? 'auto'
      const isChanged = before.firstName !== firstName || before.availabilityMode !== availabilityMode
      if (isChanged) walker.events.push(`user.updated ${name}`)
      const user = walker.model.users.get(name) as Row
      walker.same(data.availability, availability ?? 'offline', 'the availability of a user without a stream')
      user.fields = { ...user.fields, firstName, availabilityMode }
      shows(walker, data, user)
    },
  }),

  'tenant.update': stepKind<{ country: string | null }>({
    weight: 1,
    choose: ({ random }) => ({ country: random.pick(['DE', 'US', null]) }),
    async run(walker, change) {
      const { data } = await walker.expect(200, 'PUT', '/api/tenant', change, { as: 'owner' })
      walker.same(data.country, change.country, 'the country of the tenant')
    },
  }),

  'tenant.setup': stepKind<{ dismissed: boolean }>({
    weight: 1,
    choose: ({ random }) => ({ dismissed: random.isOneIn(2) }),
    async run(walker, change) {
      const at = '/api/tenant/setup'
      const as = { as: 'owner' } as const
      const before = await walker.expect(200, 'GET', at, undefined, as)
      const { data } = await walker.expect(200, 'PUT', at, change, as)
      walker.same(data.dismissedAt !== null, change.dismissed, 'whether the check-list is hidden')
      for (const [i, { id, doneAt }] of before.data.steps.entries())
        if (doneAt !== null) walker.same(data.steps[i].doneAt, doneAt, `the time of the step ${id}`)
      const unchanged = await walker.expect(200, 'PUT', at, {}, as)
      walker.same(unchanged.data, data, 'the check-list after an empty change')
    },
  }),

  'users.delete': stepKind<{ user: string; as: Admin }>({
    weight: 1,
    choose(choosing) {
      const user = pickName(choosing, choosing.model.users)
      return user && user !== 'u-agent' && user !== 'u-viewer'
        ? { user, as: choosing.random.pick(admins) }
        : undefined
    },
    async run(walker, { user: name, as }) {
      const at = `${path}/users/${walker.id(name)}`
      const user = walker.model.users.get(name)
      if (user === undefined || (await isRefused(walker, as, 'DELETE', at))) return
      // The last owner stays.
      if (name === 'u-owner') return void (await walker.expect(409, 'DELETE', at, undefined, owner))
      await walker.expect(user.isGone ? 404 : 200, 'DELETE', at, undefined, owner)
      if (!user.isGone) walker.events.push(`user.deleted ${name}`)
      user.isGone = true
    },
  }),

  'users.list': stepKind<object>({
    weight: 2,
    choose: () => ({}),
    async run(walker) {
      const rows = await walker.all(`${path}/users`, 3, owner)
      const { model } = walker
      const users = model.alive(model.users).map((user) => seenByOwner(walker, user))
      lists(walker, rows, users)
    },
  }),

  'inboxes.create': stepKind<{ as: Admin }>({
    weight: 1,
    choose: ({ random, model }) =>
      model.alive(model.inboxes).length > 8 ? undefined : { as: random.pick(admins) },
    async run(walker, { as }, n) {
      const at = `${path}/inboxes`
      const name = `i${n}`
      const body = { name: `Inbox ${n}` }
      if (await isRefused(walker, as, 'POST', at, body)) return
      const { data } = await walker.expect(201, 'POST', at, body, owner)
      walker.name(name, data._id)
      const row = { name, fields: { name: body.name, isDefault: false, isActive: true }, isGone: false }
      walker.model.inboxes.set(name, row)
      shows(walker, data, row)
    },
  }),

  'inboxes.delete': stepKind<{ inbox: string; as: Admin }>({
    weight: 2,
    choose(choosing) {
      const inbox = pickName(choosing, choosing.model.inboxes)
      if (inbox === mailInbox) return undefined
      return inbox && { inbox, as: choosing.random.pick(admins) }
    },
    async run(walker, { inbox: name, as }) {
      const { model } = walker
      const at = `${path}/inboxes/${walker.id(name)}`
      const inbox = model.inboxes.get(name)
      if (inbox === undefined || (await isRefused(walker, as, 'DELETE', at))) return
      if (inbox.isGone) return void (await walker.expect(404, 'DELETE', at, undefined, owner))
      const isUsed = model.alive(model.conversations).some((one) => one.inbox === name)
      const isKept = name === 'i0' || isUsed
      await walker.expect(isKept ? 409 : 200, 'DELETE', at, undefined, owner)
      if (!isKept) inbox.isGone = true
    },
  }),

  'inboxes.list': stepKind<object>({
    weight: 1,
    choose: () => ({}),
    async run(walker) {
      lists(walker, await walker.all(`${path}/inboxes`, 3), walker.model.alive(walker.model.inboxes))
    },
  }),

  'webhooks.create': stepKind<{ as: Admin }>({
    weight: 2,
    choose: ({ random, model }) =>
      model.alive(model.webhooks).length > 5 ? undefined : { as: random.pick(['owner', 'agent', 'key']) },
    async run(walker, { as }, n) {
      const at = `${path}/webhooks`
      const name = `w${n}`
      // No server listens there: each attempt fails at once, and is not made again.
      const retryPolicy = { maxRetries: 0 }
      const url = `https://127.0.0.1:1024/${n}`
      const body = { name: `Hook ${n}`, url, events: ['customer.created', 'message.sent'], retryPolicy }
      if (as === 'agent') return void (await walker.expect(403, 'POST', at, body, { as }))
      const { data } = await walker.expect(201, 'POST', at, body, { as })
      walker.name(name, data._id)
      const row = {
        name,
        fields: { name: body.name, url, events: body.events, isActive: true },
        isGone: false,
      }
      walker.model.webhooks.set(name, row)
      shows(walker, data, row)
    },
  }),

  'webhooks.update': stepKind<{ webhook: string; isActive: boolean }>({
    weight: 1,
    choose(choosing) {
      const webhook = pickName(choosing, choosing.model.webhooks)
      return webhook && { webhook, isActive: choosing.random.isOneIn(2) }
    },
    async run(walker, { webhook: name, isActive }, n) {
      const at = `${path}/webhooks/${walker.id(name)}`
      const webhook = walker.model.webhooks.get(name) as Row
      const body = { name: `Hook again ${n}`, isActive }
      const { data } = await walker.expect(webhook.isGone ? 404 : 200, 'PUT', at, body)
      if (webhook.isGone) return
      webhook.fields = { ...webhook.fields, ...body }
      shows(walker, data, webhook)
    },
  }),

  'webhooks.delete': stepKind<{ webhook: string }>({
    weight: 1,
    choose(choosing) {
      const webhook = pickName(choosing, choosing.model.webhooks)
      return webhook && { webhook }
    },
    async run(walker, { webhook: name }) {
      const webhook = walker.model.webhooks.get(name) as Row
      await walker.expect(webhook.isGone ? 404 : 200, 'DELETE', `${path}/webhooks/${walker.id(name)}`)
      webhook.isGone = true
    },
  }),

  'webhooks.list': stepKind<object>({
    weight: 1,
    choose: () => ({}),
    async run(walker) {
      const { data } = await walker.expect(200, 'GET', `${path}/webhooks?limit=100`)
      lists(walker, data.webhooks, walker.model.alive(walker.model.webhooks))
      walker.same(data.total, data.webhooks.length, 'the total of the webhooks')
    },
  }),

  'apiKeys.create': stepKind<{ permissions: string[]; as: Admin }>({
    weight: 2,
    choose: ({ random, model }) => {
      if (model.alive(model.keys).length > 8) return undefined
      const permissions = random.pick([['read:customers'], ['read:conversations'], ['write:customers']])
      return { permissions, as: random.pick(admins) }
    },
    async run(walker, { permissions, as }, n) {
      const at = '/api/tenant/api-keys'
      const name = `k${n}`
      const body = { name: `Key ${n}`, permissions }
      if (await isRefused(walker, as, 'POST', at, body)) return
      const { data } = await walker.expect(201, 'POST', at, body, owner)
      walker.name(name, data._id)
      walker.keep(name, data.key)
      const fields = { name: body.name, permissions, isActive: true }
      walker.model.keys.set(name, { name, fields, isGone: false })
    },
  }),

  'apiKeys.update': stepKind<{ key: string; change: Record<string, unknown>; as: Admin }>({
    weight: 1,
    choose(choosing) {
      const { random, model } = choosing
      const key = pickName(choosing, model.keys)
      const permissions = random.pick([['read:customers'], ['read:conversations']])
      return (
        key && { key, change: { name: `Named ${random.below(3)}`, permissions }, as: random.pick(admins) }
      )
    },
    async run(walker, { key: name, change, as }) {
      const at = `/api/tenant/api-keys/${walker.id(name)}`
      const key = walker.model.keys.get(name) as Row
      if (await isRefused(walker, as, 'PUT', at, change)) return
      const { data } = await walker.expect(key.isGone ? 404 : 200, 'PUT', at, change, owner)
      if (key.isGone) return
      key.fields = { ...key.fields, ...change }
      shows(walker, data, key)
    },
  }),

  'apiKeys.use': stepKind<{ key: string }>({
    weight: 3,
    choose(choosing) {
      const key = pickName(choosing, choosing.model.keys)
      return key && { key }
    },
    async run(walker, { key: name }) {
      const key = walker.model.keys.get(name) as Row
      const permissions = key.fields['permissions'] as string[]
      const asked = { token: walker.secret(name) }
      const isRead = holds(permissions, 'read:customers')
      const status = key.isGone || !key.fields['isActive'] ? 401 : isRead ? 200 : 403
      const body = await walker.expect(status, 'GET', `${path}/customers?limit=1`, undefined, asked)
      const codes = {
        200: undefined,
        403: 'PERMISSION_DENIED',
        401: key.isGone ? 'API_KEY_INVALID' : 'API_KEY_INACTIVE',
      }
      walker.same(body.code, codes[status], `the code for ${name}`)
    },
  }),

  'apiKeys.end': stepKind<{ key: string; isDeleted: boolean }>({
    weight: 2,
    choose(choosing) {
      const key = pickName(choosing, choosing.model.keys)
      return key && { key, isDeleted: choosing.random.isOneIn(2) }
    },
    async run(walker, { key: name, isDeleted }) {
      const key = walker.model.keys.get(name) as Row
      const at = `/api/tenant/api-keys/${walker.id(name)}`
      const status = key.isGone ? 404 : 200
      if (isDeleted) await walker.expect(status, 'DELETE', at, undefined, owner)
      else await walker.expect(status, 'POST', `${at}/revoke`, {}, owner)
      if (isDeleted) key.isGone = true
      key.fields = { ...key.fields, isActive: false }
    },
  }),
}
