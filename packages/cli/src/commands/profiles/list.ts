import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/column.ts'
import { printAll } from '../../output/print-list.ts'
import { credentialKind, type Profile } from '../../profile/profile.ts'
import { examples, runAction } from '../run-action.ts'

/** A profile without its secrets. */
interface ListedProfile {
  readonly name: string
  readonly isCurrent: boolean
  readonly baseUrl: string
  readonly credential: 'session' | 'apiKey' | 'none'
  readonly keptIn: 'keyring' | 'file' | null
  readonly email: string | null
  readonly tenant: string | null
}

const columns: readonly Column<ListedProfile>[] = [
  { title: 'Name', value: (row) => row.name },
  { title: 'Current', value: (row) => row.isCurrent },
  { title: 'Server', value: (row) => row.baseUrl, isFlexible: true },
  { title: 'Credential', value: (row) => row.credential },
  { title: 'Stored in', value: (row) => row.keptIn, isOptional: true },
  { title: 'E-mail', value: (row) => row.email, isFlexible: true },
  { title: 'Tenant', value: (row) => row.tenant, isFlexible: true, isOptional: true },
]

export function defineListProfiles(profiles: CommandUnknownOpts): void {
  profiles
    .command('list')
    .description('List the profiles of this machine. No credential is shown.')
    .addHelpText('after', examples('crm profiles list', 'crm profiles list --json name,baseUrl'))
    .action((_, self) => runAction(self, listProfiles))
}

async function listProfiles({ environment, flags, output, store }: Context): Promise<void> {
  const file = await store.read()
  const current = flags.profile ?? environment.profile ?? file.current
  const rows = Object.entries(file.profiles).map(([name, profile]) => listed(name, profile, current))
  await printAll(output, { rows, columns, quiet: ({ name }) => name })
  if (rows.length === 0) output.say('There is no profile yet: "crm login" or "crm init" creates one.')
}

function listed(name: string, profile: Profile, current: string): ListedProfile {
  const { baseUrl, email = null, tenantName = null, keyring } = profile
  const credential = credentialKind(profile) ?? 'none'
  const keptIn = credential === 'none' ? null : keyring ? 'keyring' : 'file'
  return { name, isCurrent: name === current, baseUrl, credential, keptIn, email, tenant: tenantName }
}
