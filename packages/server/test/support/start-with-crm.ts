import { startEmulator } from '../../../../examples/zoho-emulator/src/start-emulator.ts'
import type { Variables } from '../../src/main/config/config.ts'
import { providerVariables, startMailProvider } from './mail-provider.ts'
import { type RunningService, startService } from './start-service.ts'

/** The whole service with an external CRM and a provider of mailboxes that people can sign in to. */
export async function startServiceWithCrm(variables: Variables = {}): Promise<RunningService> {
  const zoho = await startEmulator()
  const provider = await startMailProvider()
  const running = await startService({
    CRM_CONNECTOR_HOSTS: zoho.host,
    CRM_ZOHO_ACCOUNTS_SERVER: zoho.url,
    CRM_ZOHO_CLIENT_ID: zoho.clientId,
    CRM_ZOHO_CLIENT_SECRET: zoho.clientSecret,
    ...providerVariables,
    CRM_MAIL_OAUTH_HOSTS: `accounts=${provider.accounts}`,
    ...variables,
  })
  const stop = async () => {
    await running.stop()
    await zoho.close()
    await provider.close()
  }
  return { ...running, stop }
}
