import { SourceFailure } from '../../ports/connector.ts'
import type { ConnectorSignIns } from '../../ports/connector-sign-in.ts'
import { accessOf, callTokenEndpoint, clientOf, type ZohoParts } from './zoho-tokens.ts'

const modules = ['contacts', 'accounts', 'leads', 'deals', 'cases', 'notes', 'calls', 'tasks', 'events']
/** Reading only. The last one is for counts. */
const scopes = [
  ...modules.map((name) => `ZohoCRM.modules.${name}.READ`),
  'ZohoCRM.settings.fields.READ',
  'ZohoCRM.settings.modules.READ',
  'ZohoCRM.org.READ',
  'ZohoCRM.users.READ',
  'ZohoSearch.securesearch.READ',
]

const noClient = { clientId: null, clientSecret: null }

export function createZohoSignIns(parts: ZohoParts): ConnectorSignIns {
  const { settings, hosts, http, clock } = parts
  return {
    authorizationUrl: ({ state, redirectUri }) => {
      if (settings.clientId === null) return undefined
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: settings.clientId,
        scope: scopes.join(','),
        redirect_uri: redirectUri,
        state,
        // Without it there is no refresh token.
        access_type: 'offline',
        prompt: 'consent',
      })
      return `${settings.accountsServer}/oauth/v2/auth?${query}`
    },
    // An account lives in one data centre, whose server takes the code.
    accountsServerOf: (callback) => {
      const server = callback.get('accounts-server') ?? settings.accountsServer
      return hosts.isAllowed(server, { provider: 'zoho', server: 'accounts' }) ? server : undefined
    },
    exchange: async ({ tenantId, code, redirectUri, accountsServer, signal }) => {
      const client = clientOf(parts, { accountsServer }, noClient)
      const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...client }
      const reply = await callTokenEndpoint(parts, { tenantId, accountsServer, signal, form })
      const apiDomain = String(reply['api_domain'] ?? '')
      if (!hosts.isAllowed(apiDomain, { provider: 'zoho', server: 'api' })) {
        throw new SourceFailure('fatal', 'The API domain is not an allowed address')
      }
      const refreshToken = reply['refresh_token']
      if (typeof refreshToken !== 'string')
        throw new SourceFailure('auth', 'The source sent no refresh token')
      return { apiDomain, tokens: { ...noClient, refreshToken, ...accessOf(reply, clock) } }
    },
    revoke: async ({ tenantId, accountsServer, tokens, signal }) => {
      const isAllowed = hosts.isAllowed(accountsServer, { provider: 'zoho', server: 'accounts' })
      if (tokens.refreshToken === null || !isAllowed) return
      await http.send({
        tenantId,
        method: 'POST',
        url: `${accountsServer}/oauth/v2/token/revoke`,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ token: tokens.refreshToken }).toString(),
        signal,
      })
    },
  }
}
