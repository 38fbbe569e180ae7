import type { listCustomers } from '@crmkit/core'
import { normalizeEmail } from '@crmkit/core'
import { customerOfRecord } from '../../shared/customer-of-record.ts'
import { pageReply } from '../../shared/reply-page.ts'
import { externalIdLabel } from '../../storage/external-ids.ts'
import type { Handler } from '../handler.ts'

export const handleListCustomers: Handler<typeof listCustomers> = async ({ store }, { query }) => {
  const { email, externalId, tags = [], ...rest } = query
  const labels = externalId === undefined ? tags : [...tags, externalIdLabel(externalId)]
  const filter = { ...rest, tags: labels, email: email === undefined ? undefined : normalizeEmail(email) }
  const page = await store.customers.list(filter)
  return { reply: pageReply({ ...page, rows: page.rows.map(customerOfRecord) }, query) }
}
