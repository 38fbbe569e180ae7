import {
  type CreateIntegrationBody,
  type createIntegration,
  integrationsPerTenantMax,
  newIntegration,
  type Problem,
  validationFailure,
} from '@crmkit/core'
import { showIntegration } from '../../imports/run/show-integration.ts'
import { SourceFailure } from '../../ports/connector.ts'
import type { RemoteProvider } from '../../ports/connector-http.ts'
import type { Connectors, NewAccount } from '../../ports/connectors.ts'
import { isRefusal, reachSource } from '../../shared/reach-source.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import type { Handler, HandlerContext, Outcome } from '../handler.ts'
import {
  assertRoom,
  connectAccount,
  connectedNote,
  emptyState,
  type TriedAccount,
} from './connect-account.ts'

type Created = Promise<Outcome<typeof createIntegration>>

export const handleCreateIntegration: Handler<typeof createIntegration> = async (ctx, { body }) => {
  const { provider } = body
  return provider === 'file' || provider === 'package'
    ? createForFiles(ctx, provider, body)
    : createForAccount(ctx, provider, body)
}

async function createForFiles(
  ctx: HandlerContext,
  provider: 'file' | 'package',
  { name, importSettings }: CreateIntegrationBody,
): Created {
  const { store, ids, tenantId, now } = ctx
  // Read before the count, which then cannot change before the commit.
  const expectTenantVersion = await store.version()
  const { rows } = await store.integrations.listRows({ page: 1, limit: integrationsPerTenantMax })
  assertRoom(rows.length)
  const id = ids.next('int')
  const source = {
    provider,
    accountId: id,
    accountName: null,
    accountEmail: null,
    apiDomain: null,
  }
  const made = newIntegration({ id, tenantId, now, source, name, importSettings })
  const row: IntegrationRecord = { ...made, ...emptyState }
  return {
    change: { writes: [{ op: 'insert', kind: 'integrations', row }], events: [], expectTenantVersion },
    audit: { action: 'integration.created', target: { type: 'integration', _id: id } },
    reply: { success: true, data: showIntegration(row) },
  }
}

async function createForAccount(
  ctx: HandlerContext,
  provider: RemoteProvider,
  body: CreateIntegrationBody,
): Created {
  const account = newAccountOf(ctx, provider, body)
  const tried = await tryAccount(ctx.services.sources, account)
  const { name, importSettings } = body
  const { isNew, integration, change } = await connectAccount(ctx, { ...tried, name, importSettings })
  return {
    change,
    audit: connectedNote(isNew, integration._id),
    ...(!isNew && { status: 200 }),
    reply: { success: true, data: integration },
  }
}

/** Throws VALIDATION_ERROR for an address that requests may not go to. */
function newAccountOf(
  { tenantId, services }: HandlerContext,
  provider: RemoteProvider,
  { credentials, ...body }: CreateIntegrationBody,
): NewAccount {
  const { hosts, settings } = services.sources
  const apiDomain = body.apiDomain ?? settings.hubspot.apiDomain
  const accountsServer =
    body.accountsServer ?? (provider === 'zoho' ? settings.zoho.accountsServer : settings.hubspot.apiDomain)
  const problems = [
    ...(hosts.isAllowed(apiDomain, { provider, server: 'api' }) ? [] : [hostProblem('apiDomain')]),
    ...(hosts.isAllowed(accountsServer, { provider, server: 'accounts' })
      ? []
      : [hostProblem('accountsServer')]),
  ]
  if (problems.length > 0) throw validationFailure(problems)
  const tokens = {
    clientId: credentials?.clientId ?? null,
    clientSecret: credentials?.clientSecret ?? null,
    refreshToken: credentials?.refreshToken ?? null,
    accessToken: credentials?.accessToken ?? null,
    accessTokenExpiresAt: null,
    lifetimeSeconds: null,
  }
  return { provider, tenantId, apiDomain, accountsServer, tokens }
}

function hostProblem(field: string): Problem {
  const message = 'must be the origin of a host of the provider, such as https://www.zohoapis.com'
  return { field, message, rule: 'host', in: 'body' }
}

/** Reads the account with its credentials. Throws VALIDATION_ERROR without a word of the source. */
async function tryAccount(sources: Connectors, account: NewAccount): Promise<TriedAccount> {
  const { connection, tokens } = sources.openNew(account)
  try {
    const identity = await reachSource((signal) => connection.identify(signal))
    return { ...account, identity, tokens: await tokens.read() }
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error
    throw validationFailure([
      isRefusal(error)
        ? { field: 'credentials', message: 'are refused by the source', rule: 'credentials', in: 'body' }
        : { field: 'apiDomain', message: 'cannot be reached', rule: 'unreachable', in: 'body' },
    ])
  } finally {
    await connection.close()
  }
}
