import { CliError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { openClient } from '../../profile/open-client.ts'

/** Ends the session of the profile; returns undefined on success or when it has ended before, else the reason. */
export async function endSession(context: Context): Promise<string | undefined> {
  try {
    const client = await openClient(context, 'session')
    await client.call((crm) => crm.auth.logout())
    return undefined
  } catch (error) {
    const { AuthenticationError } = await import('@crmkit/sdk')
    const hasEnded =
      error instanceof AuthenticationError || (error instanceof CliError && error.code === 'NOT_SIGNED_IN')
    if (hasEnded) return undefined
    return error instanceof Error ? error.message : String(error)
  }
}
