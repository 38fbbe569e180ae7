import { type MailProvider, notFound, type startEmailSignIn, validationFailure } from '@crmkit/core'
import type { Handler } from '../handler.ts'
import { startSignIn } from '../sign-in-grants.ts'

/** The path that a provider of mailboxes sends the browser to after a grant; the operator registers it there. */
export const mailCallbackPath = (provider: MailProvider) => `/api/v1/mail/oauth/${provider}/callback`

export const handleStartEmailSignIn: Handler<typeof startEmailSignIn> = async (ctx, { params, body }) => {
  const { store, services } = ctx
  if ((await store.inboxes.find(params.id)) === undefined) throw notFound()
  const { provider, mailbox = null } = body
  if (mailbox !== null && provider !== 'microsoft') {
    const message = 'is for a shared mailbox at Microsoft'
    throw validationFailure([{ field: 'mailbox', message, rule: 'provider', in: 'body' }])
  }
  const { change, data } = startSignIn(ctx, {
    provider,
    providerIn: 'body',
    callbackPath: mailCallbackPath(provider),
    details: { inboxId: params.id, mailbox, name: null, importSettings: null },
    authorizationUrl: (of) => services.mailSignIns.authorizationUrl({ provider, ...of }),
  })
  return { change, reply: { success: true, data } }
}
