import type { Customer } from '../model.ts'
import { pickName, stepKind } from '../step-kind.ts'

const path = '/api/v1/views'
const [agent, owner] = [{ as: 'agent' }, { as: 'owner' }] as const

export const viewSteps = {
  /** A view of one customer is saved by one user, seen by the others if it is shared, given to the team and deleted. */
  'views.all': stepKind<{ customer: string; isShared: boolean }>({
    weight: 2,
    choose(choosing) {
      const customer = pickName(choosing, choosing.model.customers)
      return customer && { customer, isShared: choosing.random.isOneIn(2) }
    },
    async run(walker, { customer, isShared }, n) {
      const { isGone } = walker.model.customers.get(customer) as Customer
      const filter = { assignedTo: 'me', customerId: walker.id(customer) }
      const body = { name: `View ${n}`, filter, isShared }
      const { data } = await walker.expect(isGone ? 422 : 201, 'POST', path, body, agent)
      if (isGone) return
      const one = `${path}/${data._id}`
      await walker.expect(isShared ? 200 : 404, 'GET', one, undefined, owner)
      const listed = await walker.expect(200, 'GET', `${path}?limit=100`, undefined, owner)
      const isListed = listed.data.some(({ _id }: { _id: string }) => _id === data._id)
      walker.same(isListed, isShared, 'a view is listed')
      await walker.expect(403, 'GET', path, undefined, { as: 'key' })
      const given = await walker.expect(200, 'PUT', one, { isShared: true, name: 'Given' }, agent)
      walker.same([given.data.isShared, given.data.filter], [true, filter], 'a view of the team')
      await walker.expect(200, 'DELETE', one, undefined, owner)
      await walker.expect(404, 'GET', one, undefined, agent)
    },
  }),
}
