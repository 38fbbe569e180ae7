import type { Connector, ConnectorProvider, SourceAccount } from '../ports/connector.ts'
import type { RemoteProvider, SourceHosts, SourceSettings } from '../ports/source-http.ts'
import type { SourceSignIns } from '../ports/source-sign-in.ts'
import type { Sources } from '../ports/sources.ts'
import type { TenantId } from '../storage/records.ts'
import { withOneExchange } from './one-exchange.ts'
import { createHeldTokens, type TokenKeepers } from './token-keeper.ts'

export type Connectors = Readonly<Partial<Record<ConnectorProvider, Connector>>>

interface SourceParts {
  connectors: Connectors
  signIns: Readonly<Record<RemoteProvider, SourceSignIns>>
  keeperOf: TokenKeepers
  hosts: SourceHosts
  settings: SourceSettings
}

const noFormats = { timeZone: null, dateOrder: 'dmy', defaultCountry: null, mapping: {} } as const

export function createSources({ connectors, signIns, keeperOf, hosts, settings }: SourceParts): Sources {
  const connectorOf = (provider: ConnectorProvider): Connector => {
    const connector = connectors[provider]
    if (connector === undefined) throw new Error(`There is no connector for ${provider}`)
    return connector
  }
  return {
    hosts,
    signIns: { zoho: withOneExchange(signIns.zoho), hubspot: withOneExchange(signIns.hubspot) },
    settings,
    open: (row) => {
      const tenantId = row.tenantId as TenantId
      const account: SourceAccount = {
        tenantId,
        integrationId: row._id,
        apiDomain: row.apiDomain,
        accountsServer: row.accountsServer,
        tokens: row.provider === 'file' ? null : keeperOf({ tenantId, integrationId: row._id }),
        timeZone: row.timeZone,
        dateOrder: row.dateOrder,
        defaultCountry: row.defaultCountry,
        mapping: row.mapping,
      }
      return connectorOf(row.provider).open(account)
    },
    openNew: ({ provider, tenantId, apiDomain, accountsServer, tokens: given }) => {
      const tokens = createHeldTokens(given)
      const account = { tenantId, integrationId: '', apiDomain, accountsServer, tokens, ...noFormats }
      return { connection: connectorOf(provider).open(account), tokens }
    },
  }
}
