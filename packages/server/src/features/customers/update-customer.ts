import { type updateCustomer, updatedCustomer } from '@crmkit/core'
import type { Handler } from '../handler.ts'
import { changeCustomer } from './change-customer.ts'

export const handleUpdateCustomer: Handler<typeof updateCustomer> = (ctx, { params, body }) =>
  changeCustomer(ctx, params.id, (before) => updatedCustomer(before, body, ctx.now))
