import type { Clock } from '../ports/clock.ts'
import type { Connector, ConnectorProvider, SourceAccount } from '../ports/connector.ts'
import type { ConnectorHosts, ConnectorSettings, RemoteProvider } from '../ports/connector-http.ts'
import type { ConnectorSignIns } from '../ports/connector-sign-in.ts'
import type { Connectors } from '../ports/connectors.ts'
import type { TenantId } from '../storage/records.ts'
import { exchangedOnce } from './one-exchange.ts'
import { createHeldTokens, type TokenKeepers } from './token-keeper.ts'

export type ConnectorOfProvider = Readonly<Partial<Record<ConnectorProvider, Connector>>>

interface SourceParts {
  connectors: ConnectorOfProvider
  signIns: Readonly<Record<RemoteProvider, ConnectorSignIns>>
  keeperOf: TokenKeepers
  hosts: ConnectorHosts
  settings: ConnectorSettings
  clock: Clock
}

const noFormats = {
  timeZone: null,
  dateOrder: 'dmy',
  isDateOrderChosen: false,
  dateOrders: {},
  defaultCountry: null,
  mapping: {},
  values: {},
} as const

export function createConnectors({
  connectors,
  signIns,
  keeperOf,
  hosts,
  settings,
  clock,
}: SourceParts): Connectors {
  const connectorOf = (provider: ConnectorProvider): Connector => {
    const connector = connectors[provider]
    if (connector === undefined) throw new Error(`There is no connector for ${provider}`)
    return connector
  }
  return {
    hosts,
    signIns: {
      zoho: { ...signIns.zoho, exchange: exchangedOnce(signIns.zoho.exchange, clock) },
      hubspot: { ...signIns.hubspot, exchange: exchangedOnce(signIns.hubspot.exchange, clock) },
    },
    settings,
    open: (row) => {
      const tenantId = row.tenantId as TenantId
      const account: SourceAccount = {
        tenantId,
        integrationId: row._id,
        apiDomain: row.apiDomain,
        accountsServer: row.accountsServer,
        tokens:
          row.provider === 'file' || row.provider === 'package'
            ? null
            : keeperOf({ tenantId, integrationId: row._id }),
        timeZone: row.timeZone,
        dateOrder: row.dateOrder,
        isDateOrderChosen: row.isDateOrderChosen ?? false,
        dateOrders: row.dateOrders ?? {},
        defaultCountry: row.defaultCountry,
        mapping: row.mapping,
        values: row.values ?? {},
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
