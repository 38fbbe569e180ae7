import { type getCustomer, notFound } from '@crmkit/core'
import { customerOfRecord } from '../../shared/customer-of-record.ts'
import type { Handler } from '../handler.ts'

export const handleGetCustomer: Handler<typeof getCustomer> = async ({ store }, { params }) => {
  const customer = await store.customers.find(params.id)
  if (customer === undefined) throw notFound()
  return { reply: { success: true, data: customerOfRecord(customer) } }
}
