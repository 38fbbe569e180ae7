import { onTestFinished } from 'vitest'
import {
  type Emulator,
  type EmulatorOptions,
  startEmulator,
} from '../../../../examples/hubspot-emulator/src/start-emulator.ts'
import { createSourceHttp } from '../../src/adapters/https-sender/source-http.ts'
import { createHubspotConnector } from '../../src/adapters/hubspot/hubspot-connector.ts'
import type { SourceConnection, SourceTokens, TokenKeeper } from '../../src/ports/connector.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { createSourceHosts } from '../../src/sources/source-hosts.ts'
import { createHeldTokens } from '../../src/sources/token-keeper.ts'

export interface OpenHubspot {
  emulator: Emulator
  connection: SourceConnection
  tokens: TokenKeeper
}

interface Settings extends EmulatorOptions {
  tokens?: (emulator: Emulator) => Partial<SourceTokens>
}

/** An emulator with an open account, both closed when the test ends. */
export async function openHubspot({ tokens: given, ...options }: Settings = {}): Promise<OpenHubspot> {
  const emulator = await startEmulator(options)
  const hosts = createSourceHosts({ hosts: [emulator.host] })
  const http = createSourceHttp({ hosts, timeoutMs: 5_000 })
  onTestFinished(async () => {
    await http.close()
    await emulator.close()
  })
  const tokens = createHeldTokens({
    clientId: emulator.clientId,
    clientSecret: emulator.clientSecret,
    refreshToken: emulator.newRefreshToken(),
    accessToken: null,
    accessTokenExpiresAt: null,
    lifetimeSeconds: null,
    ...given?.(emulator),
  })
  const settings = {
    clientId: null,
    clientSecret: null,
    accountsServer: emulator.url,
    apiDomain: emulator.url,
  }
  const connection = createHubspotConnector({ http, hosts, clock: systemClock, settings }).open({
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
