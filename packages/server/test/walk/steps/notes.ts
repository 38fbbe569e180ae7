import type { Customer } from '../model.ts'
import { pickName, stepKind } from '../step-kind.ts'

const owner = { as: 'owner' } as const

export const noteSteps = {
  /** A note is written, changed by somebody else, and mostly stays for merges and erasures to come. */
  'customers.notes': stepKind<{ customer: string; isDeleted: boolean }>({
    weight: 3,
    choose(choosing) {
      const customer = pickName(choosing, choosing.model.customers)
      return customer && { customer, isDeleted: choosing.random.isOneIn(3) }
    },
    async run(walker, { customer, isDeleted }) {
      const { isGone } = walker.model.customers.get(customer) as Customer
      const at = `/api/v1/customers/${walker.id(customer)}/notes`
      const first = 'A note that is replaced'
      const { data } = await walker.expect(
        isGone ? 404 : 201,
        'POST',
        at,
        { content: first },
        { as: 'agent' },
      )
      if (isGone) return
      const one = `${at}/${data._id}`
      const content = walker.text('Note', { customer })
      const expectedVersion = data.version
      const changed = await walker.expect(200, 'PUT', one, { content, expectedVersion }, owner)
      walker.same([changed.data.content, changed.data.author], [content, data.author], 'a changed note')
      const read = await walker.expect(200, 'GET', one, undefined, owner)
      walker.same(read.data, changed.data, 'a note that is read')
      if (isDeleted) {
        await walker.expect(403, 'DELETE', one, undefined, { as: 'key' })
        await walker.expect(200, 'DELETE', one, undefined, owner)
        walker.eraseText(content)
      }
      const listed = await walker.expect(200, 'GET', `${at}?limit=100`, undefined, owner)
      const isListed = listed.data.some(({ _id }: { _id: string }) => _id === data._id)
      walker.same(isListed, !isDeleted, 'a note is listed')
    },
  }),
}
