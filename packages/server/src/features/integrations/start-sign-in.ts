import { hash, randomBytes } from 'node:crypto'
import { type connectIntegration, validationFailure } from '@crmkit/core'
import { remoteProviders, signInMinutes } from '@crmkit/core/vocabulary'
import type { RemoteProvider } from '../../ports/connector-http.ts'
import { isoTime } from '../../shared/clock.ts'
import type { SourceSignIn } from '../../storage/kinds/source-sign-ins.ts'
import { userOf } from '../caller.ts'
import type { Handler } from '../handler.ts'

const stateBytes = 32

/** The path that an external CRM sends the browser to after a grant; the operator registers it there. */
export const callbackPath = (provider: RemoteProvider) => `/api/extcrm/oauth/${provider}/callback`

/** Returns the external CRM whose callback this is. */
export function providerOfCallback(path: string): RemoteProvider | undefined {
  return remoteProviders.find((provider) => callbackPath(provider) === path)
}

export const handleConnectIntegration: Handler<typeof connectIntegration> = async (ctx, { params, body }) => {
  const { tenantId, ids, now, services, serviceUrl } = ctx
  const { provider } = params
  const state = randomBytes(stateBytes).toString('base64url')
  const redirectUri = serviceUrl + callbackPath(provider)
  const authorizationUrl = services.sources.signIns[provider].authorizationUrl({ state, redirectUri })
  if (authorizationUrl === undefined) {
    const message = 'needs a client id in the settings of the server'
    throw validationFailure([{ field: 'provider', message, rule: 'not_configured', in: 'path' }])
  }
  const expiresAt = isoTime(Date.parse(now) + signInMinutes * 60_000)
  const row: SourceSignIn = {
    _id: ids.next('ssi'),
    tenantId,
    userId: userOf(ctx)._id,
    provider,
    stateHash: hash('sha256', state),
    redirectUri,
    name: body.name ?? null,
    importSettings: body.importSettings ?? null,
    sealedCode: null,
    accountsServer: null,
    expiresAt,
    createdAt: now,
    updatedAt: now,
  }
  return {
    change: { writes: [{ op: 'insert', kind: 'sourceSignIns', row }], events: [] },
    reply: { success: true, data: { authorizationUrl, state, expiresAt } },
  }
}
