import {
  type Emulator,
  type EmulatorOptions,
  startEmulator,
} from '../../../../examples/zoho-emulator/src/start-emulator.ts'
import { createZohoConnector } from '../../src/adapters/zoho/zoho-connector.ts'
import type { SourceTokens } from '../../src/ports/connector.ts'
import { type OpenAccount, openSourceAccount } from './source-account.ts'

interface Settings extends EmulatorOptions {
  /** Of one request, in ms. */
  timeoutMs?: number
  bodyBytesMax?: number
  tokens?: Partial<SourceTokens>
}

/** An emulator of Zoho CRM with an open account, both closed when the test ends. */
export async function openZoho({
  timeoutMs,
  bodyBytesMax,
  tokens,
  ...options
}: Settings = {}): Promise<OpenAccount<Emulator>> {
  const emulator = await startEmulator(options)
  const settings = { clientId: null, clientSecret: null, clientSecrets: {}, accountsServer: emulator.url }
  return openSourceAccount({
    emulator,
    refreshToken: emulator.oauth.newRefreshToken(),
    connect: (parts) => createZohoConnector({ ...parts, settings }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(bodyBytesMax !== undefined && { bodyBytesMax }),
    ...(tokens && { tokens }),
  })
}
