import type { OpenConnector, SourceConnection, SourceTokens, TokenKeeper } from './connector.ts'
import type { ConnectorHosts, ConnectorSettings, RemoteProvider } from './connector-http.ts'
import type { ConnectorSignIns } from './connector-sign-in.ts'

/** The external CRMs, as the operations on integrations use them. */
export interface Connectors {
  readonly open: OpenConnector
  /** Opens an account with credentials that are not stored yet. */
  openNew(account: NewAccount): OpenedAccount
  readonly signIns: Readonly<Record<RemoteProvider, ConnectorSignIns>>
  readonly hosts: ConnectorHosts
  readonly settings: ConnectorSettings
}

export interface NewAccount {
  readonly provider: RemoteProvider
  readonly tenantId: string
  readonly apiDomain: string
  readonly accountsServer: string
  readonly tokens: SourceTokens
}

export interface OpenedAccount {
  readonly connection: SourceConnection
  /** Returns the newest tokens: a try may have refreshed them. */
  readonly tokens: TokenKeeper
}
