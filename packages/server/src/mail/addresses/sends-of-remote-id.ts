import type { TenantReads } from '../../ports/storage.ts'
import { type MailSend, remoteKeyOf } from '../../storage/kinds/mail-sends.ts'

/** A server may repeat its ids. */
const sendsMax = 5

/** Returns the newest mails of an inbox, or of all of them, to which the relay, or the server of the inbox, gave an id. */
export async function sendsOfRemoteId(
  store: Pick<TenantReads, 'mailSends'>,
  { inboxId, remoteId }: { inboxId: string | undefined; remoteId: string },
): Promise<MailSend[]> {
  const servers = inboxId === undefined ? (['relay'] as const) : ([{ inboxId }, 'relay'] as const)
  const found = await Promise.all(
    servers.map((server) => {
      const remoteKey = remoteKeyOf(server, remoteId)
      return store.mailSends.listRows({ remoteKey, sort: '-createdAt', page: 1, limit: sendsMax })
    }),
  )
  const sends = found.flatMap(({ rows }) => rows)
  return inboxId === undefined ? sends : sends.filter((send) => send.inboxId === inboxId)
}
