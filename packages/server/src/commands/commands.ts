import { findKeys } from './keys.ts'
import { setPhoneNumbers } from './phone-numbers.ts'
import { deleteTenant } from './tenant-deletion.ts'
import { setLimit } from './tenant-limits.ts'
import { createTenant, listTenants, releaseTenantMail, resumeTenant, suspendTenant } from './tenants.ts'
import { resetPassword } from './users.ts'

interface OperatorCommand {
  /** The words before the arguments. */
  readonly words: string
  readonly run: (args: string[]) => Promise<void>
  /** The arguments as the help shows them. */
  readonly usage: string
  /** Sentences for the help, in lines that fit a terminal. */
  readonly help: readonly string[]
  readonly example: string
}

/** The operator's commands on the data of a server. Each command loads what a server itself does not need. */
const operatorCommands: readonly OperatorCommand[] = [
  {
    words: 'doctor',
    run: async (args) => (await import('./doctor/doctor.ts')).doctor(args),
    usage: '[--all] [--json]',
    help: [
      'examine the database, its files, secrets, disk, clock and Redis without changing anything;',
      'ends with 1 when it finds a problem. --all reads everything, which may take minutes',
    ],
    example: 'crm-server doctor --json',
  },
  {
    words: 'backup',
    run: async (args) => (await import('./backup/backup.ts')).backup(args),
    usage: 'FILE',
    help: [
      'copy the SQLite database and its attachments, as of one moment, into one new file; a server',
      'may run meanwhile',
    ],
    example: 'crm-server backup /backups/crm-2026-11-22.tar',
  },
  {
    words: 'restore',
    run: async (args) => (await import('./backup/restore.ts')).restore(args),
    usage: 'FILE [--ledger FILE]',
    help: [
      'restore a backup into an empty data directory, verify it, and erase again what was erased since:',
      'the ledger, erasures.ndjson of the lost data directory, says what that was',
    ],
    example:
      'CRM_DATA_DIR=/srv/crm/restored crm-server restore /backups/crm-2026-11-22.tar --ledger /safe/erasures.ndjson',
  },
  {
    words: 'compact',
    run: async (args) => (await import('./compact.ts')).compact(args),
    usage: '',
    help: [
      'give the free space of the database back to the disk: of an SQLite file that no server uses,',
      'with space for a second file meanwhile, or of the collections of a MongoDB that serves',
    ],
    example: 'crm-server compact',
  },
  {
    words: 'attachments move',
    run: async (args) => (await import('./move-attachments.ts')).moveAttachments(args),
    usage: '[--back]',
    help: [
      'move the files beside the rows into the object store that CRM_ATTACHMENTS names, while a server',
      'serves; --back moves them beside the rows again, and needs the servers stopped',
    ],
    example: 'crm-server attachments move',
  },
  {
    words: 'tenants list',
    run: listTenants,
    usage: '[--json]',
    help: ['list all tenants: id, name, state, creation'],
    example: 'crm-server tenants list',
  },
  {
    words: 'tenants create',
    run: createTenant,
    usage: 'NAME --email ADDRESS [--first-name NAME] [--last-name NAME] [--password-file FILE] [--json]',
    help: [
      'create a tenant with its owner and its default inbox; prints an invite token for the owner,',
      'or gives the owner the password of the file (- is stdin)',
    ],
    example: 'crm-server tenants create Engines --email ada@example.com',
  },
  {
    words: 'tenants suspend',
    run: suspendTenant,
    usage: 'TENANT_ID',
    help: ['refuse all keys and sessions of a tenant and hold its webhooks back'],
    example: 'crm-server tenants suspend ten_01JD3ZK7QNWM3V7XH8T0B5C9RA',
  },
  {
    words: 'tenants resume',
    run: resumeTenant,
    usage: 'TENANT_ID',
    help: ['serve it again; webhooks that were held back are delivered'],
    example: 'crm-server tenants resume ten_01JD3ZK7QNWM3V7XH8T0B5C9RA',
  },
  {
    words: 'tenants release-mail',
    run: releaseTenantMail,
    usage: 'TENANT_ID',
    help: ['let the mail of its resting inboxes leave again'],
    example: 'crm-server tenants release-mail ten_01JD3ZK7QNWM3V7XH8T0B5C9RA',
  },
  {
    words: 'tenants export',
    run: async (args) => (await import('./tenant-export.ts')).exportTenant(args),
    usage: 'TENANT_ID FOLDER [--without-files] [--json]',
    help: [
      'write what a tenant has into a package: people, conversations, messages, notes, calls and',
      'files; its manifest names what a package leaves out, such as keys',
    ],
    example: 'crm-server tenants export ten_01JD3ZK7QNWM3V7XH8T0B5C9RA /exports/engines',
  },
  {
    words: 'tenants import',
    run: async (args) => (await import('./tenant-import.ts')).importTenant(args),
    usage: 'FOLDER --name NAME --email ADDRESS [--users inactive] [--password-file FILE] [--json]',
    help: [
      'make a tenant of a package, with its owner; prints the figures of the package and those',
      'here. --users inactive makes a user of each agent, who is to be invited',
    ],
    example: 'crm-server tenants import /exports/engines --name Engines --email ada@example.com',
  },
  {
    words: 'tenants delete',
    run: deleteTenant,
    usage: 'TENANT_ID [--yes] [--json]',
    help: [
      'delete a tenant with all of its rows, files and keys; without --yes it prints what would be',
      'deleted. A server goes on where the command is ended',
    ],
    example: 'crm-server tenants delete ten_01JD3ZK7QNWM3V7XH8T0B5C9RA --yes',
  },
  {
    words: 'tenants set-phone-numbers',
    run: setPhoneNumbers,
    usage: 'TENANT_ID --numbers LIST',
    help: ["say which numbers at the telephony provider are the tenant's, such as +15551234567"],
    example: 'crm-server tenants set-phone-numbers ten_01JD3ZK7QNWM3V7XH8T0B5C9RA --numbers +15551234567',
  },
  {
    words: 'tenants set-limit',
    run: setLimit,
    usage: 'TENANT_ID [NAME [VALUE]] [--json]',
    help: [
      'print the limits of a tenant and what it uses: name, limit, use; or set a limit to a number,',
      '`unlimited` or `default`',
    ],
    example: 'crm-server tenants set-limit ten_01JD3ZK7QNWM3V7XH8T0B5C9RA customers 100000',
  },
  {
    words: 'users reset-password',
    run: resetPassword,
    usage: '--email ADDRESS [--tenant-id ID] [--password-file FILE]',
    help: ['set a password and end all sessions of that person'],
    example: 'crm-server users reset-password --email ada@example.com',
  },
  {
    words: 'secrets reseal',
    run: async (args) => (await import('./secrets/reseal.ts')).resealSecrets(args),
    usage: '[--json]',
    help: [
      'seal every stored secret with the first key of CRM_SECRETS_KEY, so that the earlier keys may',
      'go; a server may run meanwhile',
    ],
    example: 'crm-server secrets reseal',
  },
  {
    words: 'keys find',
    run: findKeys,
    usage: 'HINT [--json]',
    help: ['find API keys by the 4 characters before their last 6, which lists show as keyHint'],
    example: 'crm-server keys find 7f3Q',
  },
]

/** Returns the command that the arguments begin with, ready to run with the rest of them. */
export function findOperatorCommand(
  args: readonly string[],
): { run(): Promise<void>; help: string } | undefined {
  for (const count of [2, 1]) {
    const words = args.slice(0, count).join(' ')
    const command = operatorCommands.find((one) => one.words === words)
    if (command !== undefined) return { run: () => command.run(args.slice(count)), help: helpOf(command) }
  }
  return undefined
}

const indent = ' '.repeat(28)

function usageOf({ words, usage }: OperatorCommand): string {
  return `crm-server ${words} ${usage}`.trimEnd()
}

const environmentNote =
  'Takes the same environment variables as the server: docs/reference/settings.md lists them.'

/** The help of one command. */
function helpOf(command: OperatorCommand): string {
  const text = command.help.join('\n')
  return `${usageOf(command)}

${text.charAt(0).toUpperCase()}${text.slice(1)}.

${environmentNote}

Example:
  ${command.example}`
}

/** One line for a short command, two or more for a long one. */
function entryOf(command: OperatorCommand): string {
  const usage = usageOf(command)
  const [first = '', ...rest] = command.help
  const start =
    usage.length < indent.length ? `${usage.padEnd(indent.length)}${first}` : `${usage}\n${indent}${first}`
  return [start, ...rest.map((line) => `${indent}${line}`)].join('\n')
}

export const operatorUsage = `${operatorCommands.map(entryOf).join('\n')}

The commands for tenants, users and keys take the same environment variables as the server and the same version. They are
safe while it runs; a running server follows within 10 seconds. They print rows with tabs between the columns, or with --json
one object a line. crm-server COMMAND --help shows one command.`
