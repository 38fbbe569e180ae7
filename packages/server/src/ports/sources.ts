import type { OpenSource, SourceConnection, SourceTokens, TokenKeeper } from './connector.ts'
import type { RemoteProvider, SourceHosts, SourceSettings } from './source-http.ts'
import type { SourceSignIns } from './source-sign-in.ts'

/** The external CRMs, as the operations on integrations use them. */
export interface Sources {
  readonly open: OpenSource
  /** Opens an account with credentials that are not stored yet. */
  openNew(account: NewAccount): OpenedAccount
  readonly signIns: Readonly<Record<RemoteProvider, SourceSignIns>>
  readonly hosts: SourceHosts
  readonly settings: SourceSettings
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
