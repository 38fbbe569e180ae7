import { createCrm } from '../../profile/open-client.ts'

/**
 * The code of the refusal, or undefined for a valid key. The request needs a session, so a valid key gets 403 and an
 * invalid one 401, whatever its permissions.
 */
export async function checkApiKey(baseUrl: string, apiKey: string): Promise<string | undefined> {
  const { AuthenticationError, PermissionError } = await import('@crmkit/sdk')
  const crm = await createCrm({ baseUrl, apiKey })
  try {
    await crm.auth.me()
    return undefined
  } catch (error) {
    if (error instanceof PermissionError) return undefined
    if (error instanceof AuthenticationError) return error.code
    throw error
  }
}
