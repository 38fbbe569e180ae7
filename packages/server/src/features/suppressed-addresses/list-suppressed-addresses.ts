import { type listSuppressedAddresses, normalizeEmail } from '@crmkit/core'
import { pageReply } from '../../shared/reply-page.ts'
import type { Handler } from '../handler.ts'

export const handleListSuppressedAddresses: Handler<typeof listSuppressedAddresses> = async (
  { store },
  { query: { address, ...query } },
) => {
  const filter = address === undefined ? {} : { address: normalizeEmail(address) }
  const page = await store.suppressedAddresses.list({ ...query, ...filter })
  return { reply: pageReply(page, query) }
}
