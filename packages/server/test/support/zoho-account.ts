import { onTestFinished } from 'vitest'
import {
  type Emulator,
  type EmulatorOptions,
  startEmulator,
} from '../../../../examples/zoho-emulator/src/start-emulator.ts'
import { createSourceHttp } from '../../src/adapters/https-sender/source-http.ts'
import { createZohoConnector } from '../../src/adapters/zoho/zoho-connector.ts'
import type { SourceConnection, SourceTokens, TokenKeeper } from '../../src/ports/connector.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { createSourceHosts } from '../../src/sources/source-hosts.ts'
import { createHeldTokens } from '../../src/sources/token-keeper.ts'

export interface OpenZoho {
  emulator: Emulator
  connection: SourceConnection
  tokens: TokenKeeper
}

interface Settings extends EmulatorOptions {
  /** Of one request, in ms. */
  timeoutMs?: number
  bodyBytesMax?: number
  tokens?: Partial<SourceTokens>
}

/** An emulator with an open account, both closed when the test ends. */
export async function openZoho({
  timeoutMs = 5_000,
  bodyBytesMax,
  tokens: given,
  ...options
}: Settings = {}): Promise<OpenZoho> {
  const emulator = await startEmulator(options)
  const hosts = createSourceHosts({ hosts: [emulator.host] })
  const http = createSourceHttp({ hosts, timeoutMs, ...(bodyBytesMax && { bodyBytesMax }) })
  onTestFinished(async () => {
    await http.close()
    await emulator.close()
  })
  const tokens = createHeldTokens({
    clientId: emulator.clientId,
    clientSecret: emulator.clientSecret,
    refreshToken: emulator.oauth.newRefreshToken(),
    accessToken: null,
    accessTokenExpiresAt: null,
    lifetimeSeconds: null,
    ...given,
  })
  const settings = { clientId: null, clientSecret: null, clientSecrets: {}, accountsServer: emulator.url }
  const connector = createZohoConnector({ http, hosts, clock: systemClock, settings })
  const connection = connector.open({
    tenantId: 'ten_1',
    integrationId: 'int_1',
    apiDomain: emulator.url,
    accountsServer: emulator.url,
    tokens,
    timeZone: null,
    dateOrder: 'dmy',
    defaultCountry: null,
    mapping: {},
  })
  return { emulator, connection, tokens }
}
