import { Failure, type InboxEmail, noEmailSettings, notFound } from '@crmkit/core'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import type { Stored } from '../../storage/records.ts'
import type { HandlerContext } from '../handler.ts'

interface MailInbox {
  row: Stored<InboxRecord>
  email: InboxEmail & { address: string }
}

/** Returns an inbox with an address. Throws NOT_FOUND, and INVALID_STATE without one. */
export async function getMailInbox({ store }: Pick<HandlerContext, 'store'>, id: string): Promise<MailInbox> {
  const row = await store.inboxes.find(id)
  if (row === undefined) throw notFound()
  // Rows of earlier versions have fewer settings.
  const email = { ...noEmailSettings, ...row.email }
  const { address } = email
  if (address === null)
    throw new Failure('INVALID_STATE', 'The inbox has no address: set email.address first')
  return { row, email: { ...email, address } }
}
