import type { MailSettings } from '../../ports/mail-sender.ts'
import type { TenantReads } from '../../ports/storage.ts'

const inboxesMax = 100

/** Returns the addresses at which the tenant itself receives mail: a reply to one of them would be a mail to ourselves. */
export async function ownAddressesOf(store: TenantReads, { relay, domain }: MailSettings): Promise<string[]> {
  const { rows } = await store.inboxes.listRows({ page: 1, limit: inboxesMax })
  return [
    ...rows.map(({ email }) => email?.address ?? null),
    relay?.from ?? null,
    domain === undefined ? null : `reply@${domain}`,
  ].filter((address) => address !== null)
}
