import { type blockCustomer, blockedCustomer, type Customer, type unblockCustomer } from '@crmkit/core'
import type { Handler } from '../handler.ts'
import { changeCustomer } from './change-customer.ts'

export const handleBlockCustomer: Handler<typeof blockCustomer> = async (ctx, { params: { id } }) =>
  audited(
    'customer.blocked',
    await changeCustomer(ctx, id, (before) => blockedCustomer(before, true, ctx.now)),
  )

export const handleUnblockCustomer: Handler<typeof unblockCustomer> = async (ctx, { params: { id } }) =>
  audited(
    'customer.unblocked',
    await changeCustomer(ctx, id, (before) => blockedCustomer(before, false, ctx.now)),
  )

/** A call that changes nothing has no entry. */
function audited<A extends string, R extends { change?: object; reply: { data: Customer } }>(
  action: A,
  result: R,
) {
  const { _id } = result.reply.data
  return result.change === undefined
    ? result
    : { ...result, audit: { action, target: { type: 'customer' as const, _id } } }
}
