import type { Context } from '../../context.ts'
import { type Client, openClient } from '../../profile/open-client.ts'
import { permissionNames } from '../keys/permission-list.ts'
import { type Check, failed, messageOf, ok, warning } from './check.ts'

interface CredentialChecks {
  /** Defined when a credential works. */
  readonly client: Client | undefined
  readonly checks: readonly Check[]
}

/** Checks the credential and reports its owner and permissions. */
export async function checkCredential(context: Context): Promise<CredentialChecks> {
  try {
    const client = await openClient(context)
    const checks = client.credential.kind === 'session' ? await checkSession(client) : await checkKey(client)
    return { client, checks }
  } catch (error) {
    return { client: undefined, checks: [failed('credential', messageOf(error))] }
  }
}

async function checkSession({ call, target }: Client): Promise<Check[]> {
  const { user, tenant } = await call((crm) => crm.auth.me())
  return [
    ok('credential', `session of ${user.email} in ${tenant.name} (profile ${target.profileName})`),
    user.role === 'owner' || user.role === 'admin'
      ? ok('permissions', `role ${user.role}: everything`)
      : warning('permissions', `role ${user.role}: API keys, webhooks and users need an admin`),
  ]
}

/** Sends a request that refuses every key; the refusal lists the permissions of the key. */
async function checkKey({ call, credential }: Client): Promise<Check[]> {
  const { PermissionError } = await import('@crmkit/sdk')
  const origin =
    credential.kind === 'apiKey' && credential.origin === 'environment' ? 'CRM_API_KEY' : 'profile'
  try {
    await call((crm) => crm.auth.me())
    return [ok('credential', `API key (${origin})`)]
  } catch (error) {
    if (!(error instanceof PermissionError)) throw error
    const granted = grantedOf(error.body)
    if (granted === undefined) return [failed('credential', error.message)]
    const missing = permissionNames.filter((name) => !granted.includes(name))
    const detail = missing.length === 0 ? 'all' : `${granted.join(', ')}; not ${missing.join(', ')}`
    return [ok('credential', `API key (${origin})`), ok('permissions', detail)]
  }
}

function grantedOf(body: unknown): readonly string[] | undefined {
  const granted = (body as { granted?: unknown } | undefined)?.granted
  return Array.isArray(granted) ? granted.map(String) : undefined
}
