import { password } from '../../support/call.ts'
import type { Row } from '../model.ts'
import { pickName, stepKind } from '../step-kind.ts'
import type { Actor, Walker } from '../walker.ts'

const own = '/api/data-privacy'
const decided = '/api/tenant/privacy-requests'
const owner = { as: 'owner' } as const
const types = ['access', 'rectification', 'restriction', 'objection', 'deletion'] as const
type Type = (typeof types)[number]
type Decision = 'approve' | 'reject' | 'complete'

/** The state of a request after a decision; undefined: its state now does not allow it. */
function decidedStatus(request: Row, decision: Decision): string | undefined {
  const { status } = request.fields
  if (decision === 'approve') return status === 'pending' ? 'processing' : undefined
  if (decision === 'complete') return status === 'processing' ? 'completed' : undefined
  return status === 'pending' || status === 'processing' ? 'rejected' : undefined
}

function openDeletion({ model }: Walker, user: string): Row | undefined {
  const isOpen = ({ fields }: Row) =>
    fields['user'] === user && fields['type'] === 'deletion' && fields['status'] === 'pending'
  return [...model.requests.values()].find(isOpen)
}

const exportsPath = '/api/tenant/exports'

export const requestSteps = {
  /** The tenant is exported, and somebody is erased: then no part is left. */
  'tenant.export': stepKind<object>({
    weight: 1,
    choose: ({ random }) => (random.isOneIn(3) ? {} : undefined),
    async run(walker, _given, n) {
      const body = { currentPassword: password }
      const { status, body: made } = await walker.ask('POST', exportsPath, body, owner)
      // Three in a day; a request that is sent again after a kill finds the export of the first one.
      if (status === 429) return
      walker.same([202, 409].includes(status), true, `an export: ${JSON.stringify(made)}`)
      const at = `${exportsPath}/${made.data?._id ?? made.details.exportId}`
      await walker.world.settle()
      // Digests follow from ids, which the worlds do not share.
      const data = await walker.quietly(at, owner)
      walker.same([data.status, data.parts.length], ['ready', data.partCount], 'an export')
      walker.same(data.parts.at(-1).name, 'manifest.json', 'the last part of an export')
      await walker.quietly(data.parts[0].url, owner)
      const firstName = walker.text('Erased', {})
      const customer = await walker.expect(201, 'POST', '/api/v1/customers', { firstName })
      walker.name(`c${n}`, customer.data._id)
      walker.events.push(`customer.created c${n}`, `customer.deleted c${n}`)
      // Attempts at webhooks are made before the erasure in each world.
      await walker.world.settle()
      await walker.expect(200, 'DELETE', `/api/v1/customers/${customer.data._id}`, undefined, owner)
      walker.eraseText(firstName)
      await walker.world.settle()
      const [shown] = await walker.quietly(exportsPath, owner)
      walker.same([shown.status, shown.partCount], ['expired', 0], 'an export after an erasure')
      await walker.expect(404, 'GET', data.parts[0].url, undefined, owner)
    },
  }),

  'requests.make': stepKind<{ type: Type; as: 'agent' | 'viewer' }>({
    weight: 2,
    choose: ({ random }) => ({ type: random.pick(types), as: random.pick(['agent', 'viewer']) }),
    async run(walker, { type, as }, n) {
      const reason = `Why ${n}`
      const body =
        type === 'rectification' ? { field: 'firstName', requestedValue: `Bo ${n}`, reason } : { reason }
      const user = `u-${as}`
      const isOpen = type === 'deletion' && openDeletion(walker, user) !== undefined
      const { request } = await walker.expect(isOpen ? 409 : 201, 'POST', `${own}/${type}-request`, body, {
        as,
      })
      if (isOpen) return
      const name = `q${n}`
      walker.name(name, request.id)
      walker.model.requests.set(name, { name, fields: { type, user, status: 'pending' }, isGone: false })
    },
  }),

  'requests.cancel': stepKind<{ as: 'agent' | 'viewer' }>({
    weight: 1,
    choose: ({ random }) => ({ as: random.pick(['agent', 'viewer']) }),
    async run(walker, { as }) {
      const all = [...walker.model.requests.values()]
      const latest = all.findLast(
        ({ fields }) => fields['user'] === `u-${as}` && fields['type'] === 'deletion',
      )
      const status = await walker.expect(200, 'GET', `${own}/deletion-request/status`, undefined, { as })
      walker.same(
        [status.hasRequest, status.request?.status],
        [latest !== undefined, latest?.fields['status']],
        `the deletion request of ${as}`,
      )
      const expected = latest === undefined ? 404 : latest.fields['status'] === 'pending' ? 200 : 409
      await walker.expect(expected, 'POST', `${own}/deletion-request/cancel`, {}, { as })
      if (expected === 200 && latest) latest.fields['status'] = 'cancelled'
    },
  }),

  'requests.leave': stepKind<object>({
    weight: 1,
    choose: ({ random }) => (random.isOneIn(2) ? {} : undefined),
    async run(walker, _given, n) {
      const name = `u${n}`
      const email = `${name}@acme.test`
      const firstName = walker.text('Leaver', {})
      const body = { email, role: 'agent', firstName }
      const { data } = await walker.expect(201, 'POST', '/api/v1/users', body, owner)
      walker.name(name, data._id)
      const accepted = { token: data.inviteToken, password }
      const shown = await walker.expect(
        200,
        'POST',
        '/api/auth/invitation',
        { token: data.inviteToken },
        { token: null },
      )
      walker.same([shown.data.email, shown.data.firstName], [email, firstName], `the invitation of ${name}`)
      const invitation = '/api/auth/accept-invite'
      const session = await walker.expect(200, 'POST', invitation, accepted, { token: null })
      const own = { token: session.data.accessToken }
      const asked = { reason: walker.text('Goes', {}) }
      const made = await walker.expect(201, 'POST', '/api/data-privacy/deletion-request', asked, own)
      const at = `${decided}/${made.request.id}/approve`
      const { data: approved } = await walker.expect(200, 'POST', at, {}, owner)
      walker.same(approved.status, 'processing', `the deletion of ${name}`)
      await walker.expect(401, 'GET', '/api/v1/users/me', undefined, own)
      await walker.world.settle()
      await walker.expect(404, 'GET', `/api/v1/users/${data._id}`, undefined, owner)
      walker.events.push(`user.created ${name}`, `user.updated ${name}`, `user.deleted ${name}`)
      walker.eraseText(firstName)
    },
  }),

  'requests.decide': stepKind<{ request: string; decision: Decision; as: Extract<Actor, 'owner' | 'agent'> }>(
    {
      weight: 3,
      choose(choosing) {
        const { random, model } = choosing
        const request = pickName(choosing, model.requests)
        const decision = random.pick(['approve', 'reject', 'complete'] as const)
        return request && { request, decision, as: random.pick(['owner', 'owner', 'owner', 'agent']) }
      },
      async run(walker, { request: name, decision, as }, n) {
        const request = walker.model.requests.get(name) as Row
        const at = `${decided}/${walker.id(name)}/${decision}`
        const body = decision === 'reject' ? { rejectionReason: `No ${n}` } : { notes: `Yes ${n}` }
        const { type, user } = request.fields
        // These people walk on: nobody deletes them.
        const isLeftOut = type === 'deletion' && decision === 'approve'
        if (as === 'agent') return void (await walker.expect(403, 'POST', at, body, { as }))
        if (isLeftOut) return
        const status = decidedStatus(request, decision)
        const { model } = walker
        const before = model.isRestricted(user)
        const { data } = await walker.expect(status === undefined ? 409 : 200, 'POST', at, body, owner)
        if (status === undefined) return
        request.fields['status'] = status
        walker.same([data.status, data.type], [status, type], `the request ${name}`)
        if (before !== model.isRestricted(user)) walker.events.push(`user.updated ${user}`)
      },
    },
  ),
}
