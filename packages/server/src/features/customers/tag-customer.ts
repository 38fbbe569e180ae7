import {
  type addCustomerTags,
  type removeCustomerTags,
  updatedCustomer,
  withLabels,
  withoutLabels,
} from '@crmkit/core'
import type { Handler } from '../handler.ts'
import { changeCustomer } from './change-customer.ts'

export const handleAddCustomerTags: Handler<typeof addCustomerTags> = (ctx, { params, body }) =>
  changeCustomer(ctx, params.id, (before) => {
    const tags = withLabels({ before: before.tags, labels: body.tags, field: 'tags' })
    return updatedCustomer(before, { tags }, ctx.now)
  })

export const handleRemoveCustomerTags: Handler<typeof removeCustomerTags> = (ctx, { params, body }) =>
  changeCustomer(ctx, params.id, (before) => {
    const tags = withoutLabels({ before: before.tags, labels: body.tags, field: 'tags' })
    return updatedCustomer(before, { tags }, ctx.now)
  })
