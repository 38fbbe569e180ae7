import { startEmulator } from '../../../../examples/zoho-emulator/src/start-emulator.ts'
import { startService } from './start-service.ts'

/** A service that may connect to a Zoho emulator, which has this many contacts. */
export async function startServiceWithZoho({ contacts }: { contacts: number }) {
  const zoho = await startEmulator({ counts: { Contacts: contacts } })
  const running = await startService({
    CRM_CONNECTOR_HOSTS: zoho.host,
    CRM_ZOHO_CLIENT_ID: zoho.clientId,
    CRM_ZOHO_CLIENT_SECRET: zoho.clientSecret,
    CRM_ZOHO_ACCOUNTS_SERVER: zoho.url,
  })
  return {
    zoho,
    running,
    async stop() {
      await running.stop()
      await zoho.close()
    },
  }
}
