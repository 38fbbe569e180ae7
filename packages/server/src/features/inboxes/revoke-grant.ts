import { SourceFailure } from '../../ports/connector.ts'
import { openMailSecrets } from '../../shared/mail-secrets.ts'
import { reachSource } from '../../shared/reach-source.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import type { HandlerContext } from '../handler.ts'

/** Ends the grant of an inbox at the provider as well as possible; the service forgets it in any case. */
export async function revokeGrant(
  { tenantId, services: { secrets, mailSignIns, mailTokens } }: HandlerContext,
  inbox: InboxRecord,
): Promise<void> {
  const { grant } = openMailSecrets(secrets, inbox)
  if (grant === undefined) return
  const { provider, refreshToken } = grant
  mailTokens.forget(inbox)
  await reachSource((signal) => mailSignIns.revoke({ provider, tenantId, refreshToken, signal })).catch(
    (error: unknown) => {
      if (!(error instanceof SourceFailure)) throw error
    },
  )
}
