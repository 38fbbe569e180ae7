import type { Command } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/column.ts'
import { printRecord } from '../../output/print-record.ts'
import { type Client, openClient } from '../../profile/open-client.ts'
import { examples, runAction } from '../run-action.ts'

interface Identity {
  readonly profile: string
  readonly baseUrl: string
  readonly credential: 'session' | 'apiKey'
  /** The variable or the profile that the credential comes from. */
  readonly source: string
  readonly email: string | null
  readonly name: string | null
  readonly role: string | null
  /** Of an API key; a session has those of its role. */
  readonly permissions: readonly string[] | null
  readonly tenantId: string | null
  readonly tenant: string | null
}

const columns: readonly Column<Identity>[] = [
  { title: 'E-mail', value: (row) => row.email, isOptional: true },
  { title: 'Name', value: (row) => row.name },
  { title: 'Role', value: (row) => row.role, isOptional: true },
  { title: 'Permissions', value: (row) => row.permissions, isOptional: true },
  { title: 'Tenant', value: (row) => row.tenant },
  { title: 'Server', value: (row) => row.baseUrl },
  { title: 'Profile', value: (row) => row.profile },
  {
    title: 'Credential',
    value: (row) => (row.credential === 'session' ? 'session' : `API key (${row.source})`),
  },
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
  if (user === null) throw new TypeError('A session belongs to a user')
  return {
    profile: target.profileName,
    baseUrl,
    credential: 'session',
    source: `profile ${target.profileName}`,
    email: user.email,
    name: [user.firstName, user.lastName].filter(Boolean).join(' ') || null,
    role: user.role,
    permissions: null,
    tenantId: tenant._id,
    tenant: tenant.name,
  }
}

async function keyHolderOf({ call, credential, target, baseUrl }: Client): Promise<Identity> {
  if (credential.kind !== 'apiKey') throw new TypeError('A session has its own description')
  const source = credential.origin === 'environment' ? 'CRM_API_KEY' : `profile ${target.profileName}`
  const { tenant, apiKey } = await call((crm) => crm.auth.me())
  return {
    profile: target.profileName,
    baseUrl,
    credential: 'apiKey',
    source,
    email: null,
    name: apiKey?.name ?? null,
    role: null,
    permissions: apiKey?.permissions ?? null,
    tenantId: tenant._id,
    tenant: tenant.name,
  }
}
