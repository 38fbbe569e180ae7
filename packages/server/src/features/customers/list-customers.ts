import type { listCustomers } from '@crmkit/core'
import type { Handler } from '../../handler.ts'
import { pageReply } from '../../shared/reply-page.ts'

export const handleListCustomers: Handler<typeof listCustomers> = async ({ store }, { query }) => ({
  reply: pageReply(await store.customers.list(query), query),
})
