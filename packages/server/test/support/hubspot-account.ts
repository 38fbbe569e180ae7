import {
  type Emulator,
  type EmulatorOptions,
  startEmulator,
} from '../../../../examples/hubspot-emulator/src/start-emulator.ts'
import { createHubspotConnector } from '../../src/adapters/hubspot/hubspot-connector.ts'
import type { SourceTokens } from '../../src/ports/connector.ts'
import { type OpenAccount, openSourceAccount } from './source-account.ts'

interface Settings extends EmulatorOptions {
  tokens?: (emulator: Emulator) => Partial<SourceTokens>
  timeZone?: string
}

/** An emulator of HubSpot with an open account, both closed when the test ends. */
export async function openHubspot({
  tokens,
  timeZone,
  ...options
}: Settings = {}): Promise<OpenAccount<Emulator>> {
  const emulator = await startEmulator(options)
  const { url } = emulator
  const settings = { clientId: null, clientSecret: null, accountsServer: url, apiDomain: url }
  return openSourceAccount({
    emulator,
    refreshToken: emulator.newRefreshToken(),
    connect: (parts) => createHubspotConnector({ ...parts, settings }),
    ...(timeZone !== undefined && { timeZone }),
    ...(tokens && { tokens: tokens(emulator) }),
  })
}
