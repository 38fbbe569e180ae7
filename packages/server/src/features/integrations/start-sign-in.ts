import type { connectIntegration } from '@crmkit/core'
import type { RemoteProvider } from '../../ports/connector-http.ts'
import type { Handler } from '../handler.ts'
import { startSignIn } from '../sign-in-grants.ts'

/** The path that an external CRM sends the browser to after a grant; the operator registers it there. */
export const callbackPath = (provider: RemoteProvider) => `/api/extcrm/oauth/${provider}/callback`

export const handleConnectIntegration: Handler<typeof connectIntegration> = async (ctx, { params, body }) => {
  const { provider } = params
  const { change, data } = startSignIn(ctx, {
    provider,
    providerIn: 'path',
    callbackPath: callbackPath(provider),
    details: { name: body.name ?? null, importSettings: body.importSettings ?? null },
    authorizationUrl: (of) => ctx.services.sources.signIns[provider].authorizationUrl(of),
  })
  return { change, reply: { success: true, data } }
}
