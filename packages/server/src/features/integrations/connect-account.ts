import {
  conflict,
  type ImportSettingsBody,
  type Integration,
  integrationsPerTenantMax,
  newIntegration,
  updatedImportSettings,
} from '@crmkit/core'
import { showIntegration } from '../../imports/run/show-integration.ts'
import type { Change } from '../../ports/change.ts'
import type { SourceIdentity, SourceTokens } from '../../ports/connector.ts'
import type { RemoteProvider } from '../../ports/connector-http.ts'
import { doorWrites } from '../../shared/note-door.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import type { AuditNote, HandlerContext } from '../handler.ts'

/** An account at an external CRM whose credentials were tried. */
export interface TriedAccount {
  provider: RemoteProvider
  identity: SourceIdentity
  tokens: SourceTokens
  apiDomain: string
  accountsServer: string
  name?: string | null | undefined
  importSettings?: ImportSettingsBody
}

export interface Connected {
  isNew: boolean
  integration: Integration
  change: Change
}

export const emptyState = {
  accountsServer: null,
  sealed: null,
  activeRunId: null,
  syncedUntil: null,
  deletedReadAt: null,
  failedSyncs: 0,
} as const

/** Returns the note of a connected account for the audit log. */
export function connectedNote(
  isNew: boolean,
  _id: string,
): AuditNote<'integration.created' | 'integration.updated'> {
  const target = { type: 'integration', _id }
  if (isNew) return { action: 'integration.created', target }
  return { action: 'integration.updated', target, changed: ['credentials'] }
}

type ConnectContext = Pick<HandlerContext, 'store' | 'ids' | 'tenantId' | 'now' | 'services'>

/** Stores the account. The same account again is the same integration: it gets the new credentials. */
export async function connectAccount(ctx: ConnectContext, account: TriedAccount): Promise<Connected> {
  const { store } = ctx
  const expectTenantVersion = await store.version()
  const { rows } = await store.integrations.listRows({ page: 1, limit: 2 * integrationsPerTenantMax })
  const known = rows.find((row) => row.provider === account.provider && row.accountId === account.identity.id)
  if (known !== undefined) return reconnected(ctx, known, account)
  assertRoom(rows.length)
  const row = newRecord(ctx, account)
  return {
    isNew: true,
    integration: showIntegration(row),
    change: { writes: [{ op: 'insert', kind: 'integrations', row }], events: [], expectTenantVersion },
  }
}

/** Throws CONFLICT when the tenant has as many integrations as it may. */
export function assertRoom(count: number): void {
  if (count < integrationsPerTenantMax) return
  throw conflict(`A tenant has at most ${integrationsPerTenantMax} integrations`)
}

function newRecord(
  { ids, tenantId, now, services }: ConnectContext,
  account: TriedAccount,
): IntegrationRecord {
  const { identity, tokens, provider, apiDomain, accountsServer, name, importSettings } = account
  const id = ids.next('int')
  const source = {
    provider,
    accountId: identity.id,
    accountName: identity.name,
    accountEmail: identity.email,
    apiDomain,
  }
  const { timeZone, country: defaultCountry } = identity
  return {
    ...newIntegration({ id, tenantId, now, source, name, importSettings, timeZone, defaultCountry }),
    ...emptyState,
    accountsServer,
    sealed: services.secrets.seal(JSON.stringify(tokens), { tenantId, id }),
  }
}

type StoredIntegration = IntegrationRecord & { version: number }

async function reconnected(
  { store, now, services }: ConnectContext,
  row: StoredIntegration,
  account: TriedAccount,
): Promise<Connected> {
  const { identity, tokens, apiDomain, accountsServer, name, importSettings } = account
  const { _id: id, tenantId, version: expectVersion } = row
  const set: Partial<IntegrationRecord> = {
    accountName: identity.name,
    accountEmail: identity.email,
    apiDomain,
    accountsServer,
    sealed: services.secrets.seal(JSON.stringify(tokens), { tenantId, id }),
    reauthRequired: false,
    syncStatus: row.syncStatus === 'failed' ? 'idle' : row.syncStatus,
    name: name ?? row.name,
    importSettings: updatedImportSettings(row.importSettings, importSettings ?? undefined),
    updatedAt: now,
  }
  const noted = await doorWrites(store, { door: 'source', of: id }, { trouble: null, now })
  return {
    isNew: false,
    integration: showIntegration({ ...row, ...set }),
    change: {
      writes: [{ op: 'update', kind: 'integrations', id, expectVersion, set }, ...noted],
      events: [],
    },
  }
}
