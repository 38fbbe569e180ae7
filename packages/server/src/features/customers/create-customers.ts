import { type CreateCustomersBody, type createCustomers, newCustomer, parseCustomerRow } from '@crmkit/core'
import type { Handler, HandlerContext, Outcome } from '../handler.ts'
import { tagCustomers } from './tag-customers.ts'

export const handleCreateCustomers: Handler<typeof createCustomers> = async (ctx, { body }) => {
  const { customers, ids = [], addTags = [], removeTags = [] } = body
  return customers === undefined
    ? tagCustomers(ctx, { ids, addTags, removeTags })
    : createdCustomers(ctx, customers)
}

function createdCustomers(
  { tenantId, ids, now }: HandlerContext,
  customers: NonNullable<CreateCustomersBody['customers']>,
): Outcome<typeof createCustomers> {
  const rows = customers.map((row, index) => {
    const { body, problems } = parseCustomerRow(row)
    const common = { index, code: null, problems }
    if (body === undefined) return { ...common, _id: null, result: 'refused', customer: null } as const
    const made = newCustomer(body, { id: ids.next('cus'), tenantId, now, eventId: ids.next('evt') })
    return { ...common, _id: made.customer._id, result: 'created', ...made } as const
  })
  const created = rows.filter((row) => row.result === 'created')
  return {
    change: {
      writes: created.map(({ customer }) => ({ op: 'insert', kind: 'customers', row: customer })),
      events: created.map(({ event }) => event),
    },
    reply: { success: true, data: rows },
  }
}
