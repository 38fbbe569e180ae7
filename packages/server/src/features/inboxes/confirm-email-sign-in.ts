import {
  completeEmail,
  type confirmEmailSignIn,
  emailWithSignIn,
  type MailProvider,
  notFound,
} from '@crmkit/core'
import { SourceFailure } from '../../ports/connector.ts'
import { openMailSecrets, sealMailSecrets } from '../../shared/mail-secrets.ts'
import { reachSource } from '../../shared/reach-source.ts'
import { removalOf } from '../../shared/removal-of.ts'
import { findGranted, type GrantedSignIn, refusedSignIn } from '../sign-in-grants.ts'
import { type SystemContext, type SystemHandler, signedInOf } from '../system-handler.ts'
import { showInbox } from './show-inbox.ts'

export const handleConfirmEmailSignIn: SystemHandler<typeof confirmEmailSignIn> = async (ctx, input) => {
  const { tenantId } = signedInOf(ctx)
  const { provider } = input.params
  const { signIn, code, inbox } = await findGrantedInbox(ctx, { provider, state: input.body.state })
  try {
    const { refreshToken, address } = await exchanged(ctx, { provider, signIn, code })
    const { services, now } = ctx
    const email = emailWithSignIn(completeEmail(inbox.email), {
      provider,
      user: signIn.mailbox ?? address,
      grantedAt: now,
    })
    const secrets = {
      ...openMailSecrets(services.secrets, inbox),
      grant: { provider, refreshToken, storedAt: now },
    }
    const set = { email, mailSecrets: sealMailSecrets(services.secrets, inbox, secrets), updatedAt: now }
    const { _id: id, version: expectVersion } = inbox
    return {
      tenantId,
      change: {
        writes: [
          { op: 'update', kind: 'inboxes', id, expectVersion, set },
          removalOf('sourceSignIns', signIn),
        ],
        events: [],
      },
      audit: { action: 'inbox.emailCredentialsChanged', target: { type: 'inbox', _id: id } },
      reply: { success: true, data: await showInbox(ctx, { ...inbox, ...set }) },
    }
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error
    return refusedSignIn(tenantId, { signIn, failure: error, who: 'the provider' })
  }
}

/** Throws NOT_FOUND as `findGranted` does, also without the inbox. */
async function findGrantedInbox(ctx: SystemContext, of: { provider: MailProvider; state: string }) {
  const granted = await findGranted(ctx, of)
  const { inboxId } = granted.signIn
  const inbox = inboxId ? await ctx.forTenant(signedInOf(ctx).tenantId).inboxes.find(inboxId) : undefined
  if (inbox === undefined) throw notFound()
  return { ...granted, inbox }
}

function exchanged(
  { services }: SystemContext,
  { provider, signIn, code }: { provider: MailProvider } & Pick<GrantedSignIn, 'signIn' | 'code'>,
) {
  const { tenantId, redirectUri } = signIn
  return reachSource((signal) =>
    services.mailSignIns.exchange({ provider, tenantId, code, redirectUri, signal }),
  )
}
