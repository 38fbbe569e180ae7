import type { Command } from '@commander-js/extra-typings'
import { credentialError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/column.ts'
import { printRecord } from '../../output/print-record.ts'
import { type Client, openClient } from '../../profile/open-client.ts'
import { examples, runAction } from '../run-action.ts'
import { checkApiKey } from './check-api-key.ts'

interface Identity {
  readonly profile: string
  readonly baseUrl: string
  readonly credential: 'session' | 'apiKey'
  /** The variable or the profile that the credential comes from. */
  readonly source: string
  readonly email: string | null
  readonly name: string | null
  readonly role: string | null
  readonly tenantId: string | null
  readonly tenant: string | null
}

const columns: readonly Column<Identity>[] = [
  { title: 'E-mail', value: (row) => row.email },
  { title: 'Role', value: (row) => row.role },
  { title: 'Tenant', value: (row) => row.tenant },
  { title: 'Server', value: (row) => row.baseUrl },
  { title: 'Profile', value: (row) => row.profile },
  {
    title: 'Credential',
    value: (row) => (row.credential === 'session' ? 'session' : `API key (${row.source})`),
  },
  { title: 'Name', value: (row) => row.name, isDetail: true },
  { title: 'Tenant id', value: (row) => row.tenantId, isDetail: true },
]

export function defineWhoami(command: Command): void {
  command
    .addHelpText('after', examples('crm whoami', 'crm whoami --json email,tenant'))
    .action((_, self) => runAction(self, whoami))
}

async function whoami(context: Context): Promise<void> {
  const client = await openClient(context)
  const row = client.credential.kind === 'session' ? await personOf(client) : await keyHolderOf(client)
  printRecord(context.output, { row, columns, quiet: row.email ?? row.source })
}

async function personOf({ call, target, baseUrl }: Client): Promise<Identity> {
  const { user, tenant } = await call((crm) => crm.auth.me())
  return {
    profile: target.profileName,
    baseUrl,
    credential: 'session',
    source: `profile ${target.profileName}`,
    email: user.email,
    name: [user.firstName, user.lastName].filter(Boolean).join(' ') || null,
    role: user.role,
    tenantId: tenant._id,
    tenant: tenant.name,
  }
}

/** The service does not return the owner of a key, so this only checks that the key is valid. */
async function keyHolderOf({ credential, target, baseUrl }: Client): Promise<Identity> {
  if (credential.kind !== 'apiKey') throw new TypeError('A session has its own description')
  const source = credential.origin === 'environment' ? 'CRM_API_KEY' : `profile ${target.profileName}`
  const failure = await checkApiKey(baseUrl, credential.apiKey)
  if (failure) throw credentialError(`The server refuses the API key (${source}): ${failure}`)
  return {
    profile: target.profileName,
    baseUrl,
    credential: 'apiKey',
    source,
    email: null,
    name: null,
    role: null,
    tenantId: null,
    tenant: null,
  }
}
