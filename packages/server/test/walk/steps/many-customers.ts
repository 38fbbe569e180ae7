import type { Customer } from '../model.ts'
import { stepKind } from '../step-kind.ts'
import type { Body, Walker } from '../walker.ts'
import {
  become,
  bodyOf,
  type Change,
  changed,
  chooseChange,
  expectCustomer,
  isNamed,
  newCustomer,
} from './customers.ts'

const path = '/api/v1/customers'

interface Row {
  name: string
  body: Body
  after: Customer
  result: 'created' | 'updated' | 'unchanged' | 'refused'
}

/** Compares the results of a request with those that the state allows, and takes the rows into the model. */
function takeRows(walker: Walker, data: Body[], rows: readonly Row[]): void {
  walker.same(
    data.map(({ result }) => result),
    rows.map(({ result }) => result),
    'the results of many',
  )
  for (const [index, { name, body, after, result }] of rows.entries()) {
    if (result === 'refused') {
      walker.forgetRefused(body)
      continue
    }
    if (result === 'created') {
      walker.name(name, data[index]?.customer._id)
      walker.model.customers.set(name, after)
      walker.events.push(`customer.created ${name}`)
    } else become(walker, after)
    expectCustomer(walker, data[index]?.customer, name)
  }
}

export const manyCustomerSteps = {
  'customers.createMany': stepKind<{ changes: Change[] }>({
    weight: 2,
    choose: ({ random, model }) =>
      model.alive(model.customers).length > 60
        ? undefined
        : { changes: [0, 1, 2].map(() => chooseChange({ random })) },
    async run(walker, { changes }, n) {
      const rows = changes.map((change, index): Row => {
        const name = `c${n}x${index}`
        const body = bodyOf(walker, change, name)
        const after = changed(newCustomer(name), body)
        return { name, body, after, result: isNamed(after) ? 'created' : 'refused' }
      })
      const customers = rows.map(({ body }) => body)
      const { data } = await walker.expect(200, 'POST', `${path}/bulk`, { customers })
      takeRows(walker, data, rows)
    },
  }),

  'customers.putMany': stepKind<{ puts: { externalId: number; change: Change }[] }>({
    weight: 3,
    choose: ({ random }) => ({
      puts: [0, 1, 2].map(() => ({ externalId: random.below(12), change: chooseChange({ random }) })),
    }),
    async run(walker, { puts }, n) {
      const done = new Set<string>()
      const rows = puts.map(({ externalId, change }, index): Row => {
        const id = `shop:e${externalId}`
        const known = walker.model
          .alive(walker.model.customers)
          .find(({ externalIds }) => externalIds.includes(id))
        const name = known?.name ?? `c${n}x${index}`
        const fields = bodyOf(walker, change, name)
        const body = { source: 'shop', id: `e${externalId}`, ...fields }
        const before = known ?? newCustomer(name, { externalIds: [id] })
        const after = changed(before, fields)
        if (!isNamed(after) || done.has(id) || done.has(name)) return { name, body, after, result: 'refused' }
        done.add(id).add(name)
        if (known === undefined) return { name, body, after, result: 'created' }
        const isSame = JSON.stringify(before) === JSON.stringify(after)
        return { name, body, after, result: isSame ? 'unchanged' : 'updated' }
      })
      const customers = rows.map(({ body }) => body)
      const { data } = await walker.expect(200, 'PUT', `${path}/by-external-id/bulk`, { customers })
      takeRows(walker, data, rows)
    },
  }),
}
