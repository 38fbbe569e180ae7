import { Command } from '@commander-js/extra-typings'
import { loadCommand, onLoad } from './command-loader.ts'

interface LazyCommand {
  readonly name: string
  readonly alias?: string
  readonly summary: string
  /** Imports the module; the returned function adds options, arguments and subcommands. */
  readonly load: () => Promise<(command: Command) => void>
}

const lazyCommands: readonly LazyCommand[] = [
  {
    name: 'init',
    summary: 'Register a tenant on a server, sign in and create its first API key',
    load: async () => (await import('./commands/session/init.ts')).defineInit,
  },
  {
    name: 'login',
    summary: 'Sign in, or store an API key, in a profile',
    load: async () => (await import('./commands/session/login.ts')).defineLogin,
  },
  {
    name: 'accept-invite',
    summary: 'Accept an invitation and sign in',
    load: async () => (await import('./commands/session/accept-invite.ts')).defineAcceptInvite,
  },
  {
    name: 'logout',
    summary: 'End the session and delete the credentials of a profile',
    load: async () => (await import('./commands/session/logout.ts')).defineLogout,
  },
  {
    name: 'whoami',
    summary: 'Show the signed-in user, the server and the credential in use',
    load: async () => (await import('./commands/session/whoami.ts')).defineWhoami,
  },
  {
    name: 'password',
    summary: 'Change your password',
    load: async () => (await import('./commands/session/password.ts')).definePassword,
  },
  {
    name: 'password-reset',
    summary: 'Set a new password when you have forgotten yours',
    load: async () => (await import('./commands/session/password-reset.ts')).definePasswordReset,
  },
  {
    name: 'keys',
    summary: 'Create, change and revoke API keys',
    load: async () => (await import('./commands/keys.ts')).defineKeys,
  },
  {
    name: 'calls',
    summary: 'Record calls, remark on them, and call from a browser',
    load: async () => (await import('./commands/calls.ts')).defineCalls,
  },
  {
    name: 'customers',
    summary: 'Find, create, change and merge customers',
    load: async () => (await import('./commands/customers.ts')).defineCustomers,
  },
  {
    name: 'conversations',
    summary: 'Find, reply to and change conversations',
    load: async () => (await import('./commands/conversations.ts')).defineConversations,
  },
  {
    name: 'search',
    summary: 'Find customers, conversations and messages',
    load: async () => (await import('./commands/search.ts')).defineSearch,
  },
  {
    name: 'messages',
    summary: 'Show one message, and report its delivery status',
    load: async () => (await import('./commands/messages.ts')).defineMessages,
  },
  {
    name: 'attachments',
    summary: 'Upload and download files',
    load: async () => (await import('./commands/attachments.ts')).defineAttachments,
  },
  {
    name: 'users',
    summary: 'Invite, change and remove the users of the tenant',
    load: async () => (await import('./commands/users.ts')).defineUsers,
  },
  {
    name: 'inboxes',
    summary: 'Create, change and delete the inboxes of the tenant',
    load: async () => (await import('./commands/inboxes.ts')).defineInboxes,
  },
  {
    name: 'mails',
    summary: 'Show the mails that arrived, and process parked ones again',
    load: async () => (await import('./commands/mails.ts')).defineMails,
  },
  {
    name: 'integrations',
    summary: 'Connect other CRMs and files to import from',
    load: async () => (await import('./commands/integrations.ts')).defineIntegrations,
  },
  {
    name: 'imports',
    summary: 'Import records from files and other CRMs, watch and undo imports',
    load: async () => (await import('./commands/imports.ts')).defineImports,
  },
  {
    name: 'doors',
    summary: 'Show the inboxes and sources that do not work at present',
    load: async () => (await import('./commands/doors.ts')).defineDoors,
  },
  {
    name: 'migrate',
    summary: 'Read an account of another support product into a package',
    load: async () => (await import('./commands/migrate.ts')).defineMigrate,
  },
  {
    name: 'suppressed-addresses',
    summary: 'Show the addresses that get no mail, and allow them again',
    load: async () => (await import('./commands/suppressed-addresses.ts')).defineSuppressedAddresses,
  },
  {
    name: 'canned-replies',
    summary: 'List, create, change and delete canned replies',
    load: async () => (await import('./commands/canned-replies.ts')).defineCannedReplies,
  },
  {
    name: 'views',
    summary: 'List, create, change and delete views',
    load: async () => (await import('./commands/views.ts')).defineViews,
  },
  {
    name: 'tenant',
    // The other nouns are plural.
    alias: 'tenants',
    summary: 'Show the tenant, the use of its quotas and its audit log',
    load: async () => (await import('./commands/tenant.ts')).defineTenant,
  },
  {
    name: 'webhooks',
    summary: 'Create, change and test webhooks, and read their delivery logs',
    load: async () => (await import('./commands/webhooks.ts')).defineWebhooks,
  },
  {
    name: 'events',
    summary: 'Follow the events of the tenant',
    load: async () => (await import('./commands/events.ts')).defineEvents,
  },
  {
    name: 'analytics',
    summary: 'Show the usage, the response times and the labels of the tenant',
    load: async () => (await import('./commands/analytics.ts')).defineAnalytics,
  },
  {
    name: 'privacy',
    summary: 'Export your own data, ask for its deletion, and decide on such requests',
    load: async () => (await import('./commands/privacy.ts')).definePrivacy,
  },
  {
    name: 'profiles',
    summary: 'List, choose and delete the profiles of this machine',
    load: async () => (await import('./commands/profiles.ts')).defineProfiles,
  },
  {
    name: 'doctor',
    summary: 'Check server, clock, credential and webhooks',
    load: async () => (await import('./commands/doctor/doctor.ts')).defineDoctor,
  },
  {
    name: 'api',
    summary: 'Send any request, and print the response',
    load: async () => (await import('./commands/api/api.ts')).defineApi,
  },
  {
    name: 'completion',
    summary: 'Print the completion script of bash, zsh or fish',
    load: async () => (await import('./commands/shell/completion.ts')).defineCompletion,
  },
  {
    name: 'commands',
    summary: 'List every command, for people and for agents',
    load: async () => (await import('./commands/shell/commands.ts')).defineCommands,
  },
]

const exitCodesHelp = `
Output: a table on a terminal, tab-separated rows in a pipe, JSON with --json. Data goes to stdout, messages to
  stderr.
Exit codes: 0 ok, 1 failure, 2 usage, 3 not found, 4 credential or permission, 5 conflict or validation,
  6 rate limited, 130 interrupted.
Environment: CRM_API_KEY, CRM_BASE_URL, CRM_PROFILE, CRM_PASSWORD, CRM_KEYRING=off, NO_COLOR;
  CRM_MIGRATE_TOKEN, CRM_MIGRATE_TOKEN_FILE and CRM_CONNECTOR_HOSTS for crm migrate.

Examples:
  $ crm init --base-url http://127.0.0.1:3000 --tenant Engines --email grace@engines.test
  $ crm customers list --search ada --json _id,profile.email`

/** The command tree. Only the module of the requested branch is loaded. */
export function createProgram(version: string) {
  const program = new Command('crm')
    .description('Work with a crmkit server from a terminal.')
    .version(version, '-V, --version')
    .helpCommand(false)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    // Errors are written in one place, because --json changes their form.
    .configureOutput({ outputError: () => {} })
    .option('--profile <name>', 'the profile to use (or CRM_PROFILE)')
    .option('--base-url <url>', 'the server to use (or CRM_BASE_URL)')
    .option('--json [fields]', 'print JSON, whole or only the given fields (a,b.c)')
    .option('-q, --quiet', 'print only ids or secrets, and no messages')
    .option('--no-color', 'print no colours (or NO_COLOR)')
    .addHelpText('after', exitCodesHelp)
  for (const { name, alias, summary, load } of lazyCommands) {
    const command = new Command(name).summary(summary).description(`${summary}.`).helpCommand(false)
    if (alias !== undefined) command.alias(alias)
    program.addCommand(command.copyInheritedSettings(program))
    onLoad(command, async () => (await load())(command))
  }
  program.hook('preSubcommand', (_, subcommand) => loadCommand(subcommand))
  return program
}
