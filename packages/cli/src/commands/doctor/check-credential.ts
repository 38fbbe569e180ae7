import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
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
  if (user === null) throw new TypeError('A session belongs to a user')
  return [
    ok('credential', `session of ${user.email} in ${tenant.name} (profile ${target.profileName})`),
    user.role === 'owner' || user.role === 'admin'
      ? ok('permissions', `role ${user.role}: everything`)
      : warning('permissions', `role ${user.role}: API keys, webhooks and users need an admin`),
  ]
}

async function checkKey({ call, credential }: Client): Promise<Check[]> {
  const origin =
    credential.kind === 'apiKey' && credential.origin === 'environment' ? 'CRM_API_KEY' : 'profile'
  const { tenant, apiKey } = await call((crm) => crm.auth.me())
  const granted: readonly string[] = apiKey?.permissions ?? []
  const missing = permissionNames.filter((name) => !granted.includes(name))
  const detail = missing.length === 0 ? 'all' : `${granted.join(', ')}; not ${missing.join(', ')}`
  const named = apiKey ? `API key ${cleanLine(apiKey.name)} of ${cleanLine(tenant.name)}` : 'API key'
  return [ok('credential', `${named} (${origin})`), ok('permissions', detail)]
}
