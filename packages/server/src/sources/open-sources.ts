import type { Connector, OpenSource, SourceAccount } from '../ports/connector.ts'
import type { RemoteProvider, SourceHosts, SourceSettings } from '../ports/source-http.ts'
import type { Sources } from '../ports/sources.ts'
import type { TenantId } from '../storage/records.ts'
import { createHeldTokens, type TokenKeepers } from './token-keeper.ts'

export type Connectors = Readonly<Record<RemoteProvider, Connector>>

interface SourceParts {
  connectors: Connectors
  /** Opens an integration whose records are in uploaded files. */
  openFiles: OpenSource
  keeperOf: TokenKeepers
  hosts: SourceHosts
  settings: SourceSettings
}

const noFormats = { timeZone: null, dateOrder: 'dmy', defaultCountry: null, mapping: {} } as const

export function createSources({ connectors, openFiles, keeperOf, hosts, settings }: SourceParts): Sources {
  return {
    hosts,
    settings,
    open: (row) => {
      if (row.provider === 'file') return openFiles(row)
      const tenantId = row.tenantId as TenantId
      const account: SourceAccount = {
        tenantId,
        integrationId: row._id,
        apiDomain: row.apiDomain,
        accountsServer: row.accountsServer,
        tokens: keeperOf({ tenantId, integrationId: row._id }),
        timeZone: row.timeZone,
        dateOrder: row.dateOrder,
        defaultCountry: row.defaultCountry,
        mapping: row.mapping,
      }
      return connectors[row.provider].open(account)
    },
    openNew: ({ provider, tenantId, apiDomain, accountsServer, tokens: given }) => {
      const tokens = createHeldTokens(given)
      const account = { tenantId, integrationId: '', apiDomain, accountsServer, tokens, ...noFormats }
      return { connection: connectors[provider].open(account), tokens }
    },
  }
}
