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

const isHeld = ({ model }: Walker, user: unknown) =>
  [...model.requests.values()].some(
    ({ fields }) =>
      fields['user'] === user && fields['type'] === 'restriction' && fields['status'] === 'processing',
  )

export const requestSteps = {
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
        const before = isHeld(walker, user)
        const { data } = await walker.expect(status === undefined ? 409 : 200, 'POST', at, body, owner)
        if (status === undefined) return
        request.fields['status'] = status
        walker.same([data.status, data.type], [status, type], `the request ${name}`)
        if (before !== isHeld(walker, user)) walker.events.push(`user.updated ${user}`)
      },
    },
  ),
}
