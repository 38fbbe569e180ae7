import { backup } from './backup/backup.ts'
import { restore } from './backup/restore.ts'
import { doctor } from './doctor/doctor.ts'
import { findKeys } from './keys.ts'
import { setPhoneNumbers } from './phone-numbers.ts'
import { setLimit } from './tenant-limits.ts'
import { createTenant, listTenants, resumeTenant, suspendTenant } from './tenants.ts'
import { resetPassword } from './users.ts'

type Command = (args: string[]) => Promise<void>

/** The operator's commands on the data of a server, by their one or two words. */
const operatorCommands: ReadonlyMap<string, Command> = new Map([
  ['doctor', doctor],
  ['backup', backup],
  ['restore', restore],
  ['tenants list', listTenants],
  ['tenants create', createTenant],
  ['tenants suspend', suspendTenant],
  ['tenants resume', resumeTenant],
  ['tenants set-phone-numbers', setPhoneNumbers],
  ['tenants set-limit', setLimit],
  ['users reset-password', resetPassword],
  ['keys find', findKeys],
])

/** Returns the command that the arguments begin with, ready to run with the rest of them. */
export function findOperatorCommand(args: readonly string[]): { run(): Promise<void> } | undefined {
  for (const words of [2, 1]) {
    const command = operatorCommands.get(args.slice(0, words).join(' '))
    if (command !== undefined) return { run: () => command(args.slice(words)) }
  }
  return undefined
}

export const operatorUsage = `crm-server doctor [--all] [--json]
                            examine the database, its files, secrets, disk, clock and Redis without changing anything;
                            ends with 1 when it finds a problem. --all reads everything, which may take minutes
crm-server backup FILE      copy the SQLite database and its attachments, as of one moment, into one new file; a server
                            may run meanwhile
crm-server restore FILE     restore a backup into an empty data directory and verify it
crm-server tenants list     list all tenants: id, name, state, creation
crm-server tenants create NAME --email ADDRESS [--first-name NAME] [--last-name NAME] [--password-file FILE]
                            create a tenant with its owner and its default inbox; prints an invite token for the owner,
                            or gives the owner the password of the file (- is stdin)
crm-server tenants suspend TENANT_ID
                            refuse all keys and sessions of a tenant and hold its webhooks back
crm-server tenants resume TENANT_ID
                            serve it again; webhooks that were held back are delivered
crm-server tenants set-phone-numbers TENANT_ID --numbers LIST
                            say which numbers at the telephony provider are the tenant's, such as +15551234567
crm-server tenants set-limit TENANT_ID [NAME [VALUE]]
                            print the limits of a tenant and what it uses: name, limit, use; or set a limit to a number,
                            \`unlimited\` or \`default\`
crm-server users reset-password --email ADDRESS [--tenant-id ID] [--password-file FILE]
                            set a password and end all sessions of that person
crm-server keys find HINT   find API keys by the 4 characters before their last 6, which lists show as keyHint

The commands for tenants, users and keys take the same environment variables as the server and the same version. They are
safe while it runs; a running server follows within 10 seconds.`
