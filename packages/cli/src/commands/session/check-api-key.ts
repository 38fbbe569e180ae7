import { createCrm } from '../../profile/open-client.ts'

/**
 * Why the server refuses this key, or undefined when it knows it. The question is one that every key is
 * too little for, so the 403 of a good key tells it from the 401 of a bad one, whatever its permissions.
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
