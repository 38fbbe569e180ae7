import type { listCustomers } from '@crmkit/core'
import { pageReply } from '../../shared/reply-page.ts'
import type { Handler } from '../handler.ts'

export const handleListCustomers: Handler<typeof listCustomers> = async ({ store }, { query }) => ({
  reply: pageReply(await store.customers.list(query), query),
})
