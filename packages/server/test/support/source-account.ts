import { onTestFinished } from 'vitest'
import { createConnectorHttp } from '../../src/adapters/https-sender/connector-http.ts'
import { createConnectorHosts } from '../../src/connectors/connector-hosts.ts'
import { createHeldTokens } from '../../src/connectors/token-keeper.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Connector, SourceConnection, SourceTokens, TokenKeeper } from '../../src/ports/connector.ts'
import type { ConnectorHosts, ConnectorHttp } from '../../src/ports/connector-http.ts'
import { systemClock } from '../../src/shared/clock.ts'

interface SourceEmulator {
  url: string
  host: string
  clientId: string
  clientSecret: string
  close: () => Promise<void>
}

export interface OpenAccount<E extends SourceEmulator> {
  emulator: E
  connection: SourceConnection
  tokens: TokenKeeper
}

interface AccountParts<E extends SourceEmulator> {
  emulator: E
  refreshToken: string
  connect: (parts: { http: ConnectorHttp; hosts: ConnectorHosts; clock: Clock }) => Connector
  tokens?: Partial<SourceTokens>
  timeZone?: string | null
  /** Of one request, in ms. */
  timeoutMs?: number
  bodyBytesMax?: number
}

/** Opens an account of an emulator; both are closed when the test ends. */
export function openSourceAccount<E extends SourceEmulator>({
  emulator,
  refreshToken,
  connect,
  tokens: given,
  timeZone = null,
  timeoutMs = 5_000,
  bodyBytesMax,
}: AccountParts<E>): OpenAccount<E> {
  const hosts = createConnectorHosts({ hosts: [emulator.host] })
  const http = createConnectorHttp({ hosts, timeoutMs, ...(bodyBytesMax && { bodyBytesMax }) })
  onTestFinished(async () => {
    await http.close()
    await emulator.close()
  })
  const tokens = createHeldTokens({
    clientId: emulator.clientId,
    clientSecret: emulator.clientSecret,
    refreshToken,
    accessToken: null,
    accessTokenExpiresAt: null,
    lifetimeSeconds: null,
    ...given,
  })
  const connection = connect({ http, hosts, clock: systemClock }).open({
    tenantId: 'ten_1',
    integrationId: 'int_1',
    apiDomain: emulator.url,
    accountsServer: emulator.url,
    tokens,
    timeZone,
    dateOrder: 'dmy',
    isDateOrderChosen: false,
    dateOrders: {},
    defaultCountry: null,
    mapping: {},
    values: {},
  })
  return { emulator, connection, tokens }
}
