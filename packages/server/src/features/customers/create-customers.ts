import { type createCustomers, newCustomer, parseCustomerRow } from '@crmkit/core'
import type { Handler } from '../handler.ts'

export const handleCreateCustomers: Handler<typeof createCustomers> = async (
  { tenantId, ids, now },
  { body: { customers } },
) => {
  const rows = customers.map((row, index) => {
    const { body, problems } = parseCustomerRow(row)
    if (body === undefined) return { index, result: 'refused', customer: null, problems } as const
    const made = newCustomer(body, { id: ids.next('cus'), tenantId, now, eventId: ids.next('evt') })
    return { index, result: 'created', problems, ...made } as const
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
