import { SourceFailure, type SourceTokens } from '../../ports/connector.ts'
import type { ConnectorSignIns } from '../../ports/connector-sign-in.ts'
import { clientOf, grantedTokens, type HubspotParts, sendTokenForm } from './hubspot-tokens.ts'

const objects = ['contacts', 'companies', 'deals']
/** Reading only. `tickets` has no scope for reading alone. */
const scopes = [
  'oauth',
  ...objects.flatMap((name) => [`crm.objects.${name}.read`, `crm.schemas.${name}.read`]),
  'tickets',
]

/**
 * Names of owners, e-mails with their text, and conversations: whoever grants access may leave them out. The documents of owners and
 * emails (2026-03) and of conversations (2026-09) name them.
 */
const optionalScopes = ['crm.objects.owners.read', 'sales-email-read', 'conversations.read']

const noTokens: SourceTokens = {
  clientId: null,
  clientSecret: null,
  refreshToken: null,
  accessToken: null,
  accessTokenExpiresAt: null,
  lifetimeSeconds: null,
}

export function createHubspotSignIns(parts: HubspotParts): ConnectorSignIns {
  const { settings } = parts
  return {
    authorizationUrl: ({ state, redirectUri }) => {
      if (settings.clientId === null) return undefined
      const query = new URLSearchParams({
        client_id: settings.clientId,
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
        optional_scope: optionalScopes.join(' '),
        state,
      })
      return `${settings.accountsServer}/oauth/authorize?${query}`
    },
    accountsServerOf: () => settings.apiDomain,
    exchange: async ({ tenantId, code, redirectUri, accountsServer: origin, signal }) => {
      const client = clientOf(parts, noTokens)
      const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...client }
      const response = await sendTokenForm(parts, { tenantId, origin, form, signal })
      const tokens = grantedTokens(parts, noTokens, response)
      if (tokens.refreshToken === null) throw new SourceFailure('auth', 'The source sent no refresh token')
      return { apiDomain: settings.apiDomain, tokens }
    },
    revoke: async ({ tenantId, accountsServer: origin, tokens, signal }) => {
      if (tokens.refreshToken === null) return
      const form = {
        token: tokens.refreshToken,
        token_type_hint: 'refresh_token',
        ...clientOf(parts, tokens),
      }
      await sendTokenForm(parts, { tenantId, origin, form, signal }, '/revoke')
    },
  }
}
