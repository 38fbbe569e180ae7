import { startEmulator } from '../../../../examples/zoho-emulator/src/start-emulator.ts'
import type { Variables } from '../../src/main/config/config.ts'
import { type RunningService, startService } from './start-service.ts'

/** The whole service with an external CRM that people can sign in to. */
export async function startServiceWithCrm(variables: Variables = {}): Promise<RunningService> {
  const zoho = await startEmulator()
  const running = await startService({
    CRM_CONNECTOR_HOSTS: zoho.host,
    CRM_ZOHO_ACCOUNTS_SERVER: zoho.url,
    CRM_ZOHO_CLIENT_ID: zoho.clientId,
    CRM_ZOHO_CLIENT_SECRET: zoho.clientSecret,
    ...variables,
  })
  const stop = async () => {
    await running.stop()
    await zoho.close()
  }
  return { ...running, stop }
}
