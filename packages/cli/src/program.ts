import { Command } from '@commander-js/extra-typings'
import { loadCommand, onLoad } from './command-loader.ts'

interface LazyCommand {
  readonly name: string
  readonly summary: string
  /** Imports the module and adds its options, arguments and subcommands. */
  readonly complete: (command: Command) => Promise<void>
}

const lazyCommands: readonly LazyCommand[] = [
  {
    name: 'init',
    summary: 'Register a tenant on a server, sign in and make its first API key',
    complete: async (command) => (await import('./commands/session/init.ts')).defineInit(command),
  },
  {
    name: 'login',
    summary: 'Sign in, or store an API key, in a profile',
    complete: async (command) => (await import('./commands/session/login.ts')).defineLogin(command),
  },
  {
    name: 'accept-invite',
    summary: 'Accept an invitation and sign in',
    complete: async (command) =>
      (await import('./commands/session/accept-invite.ts')).defineAcceptInvite(command),
  },
  {
    name: 'logout',
    summary: 'End the session and forget the credentials of a profile',
    complete: async (command) => (await import('./commands/session/logout.ts')).defineLogout(command),
  },
  {
    name: 'whoami',
    summary: 'Show who is signed in, where, and with what',
    complete: async (command) => (await import('./commands/session/whoami.ts')).defineWhoami(command),
  },
  {
    name: 'password',
    summary: 'Change your password',
    complete: async (command) => (await import('./commands/session/password.ts')).definePassword(command),
  },
  {
    name: 'keys',
    summary: 'Create, change and revoke API keys',
    complete: async (command) => (await import('./commands/keys/define-keys.ts')).defineKeys(command),
  },
  {
    name: 'customers',
    summary: 'Find, create, change and merge customers',
    complete: async (command) =>
      (await import('./commands/customers/define-customers.ts')).defineCustomers(command),
  },
  {
    name: 'conversations',
    summary: 'Find, answer and change conversations',
    complete: async (command) =>
      (await import('./commands/conversations/define-conversations.ts')).defineConversations(command),
  },
  {
    name: 'messages',
    summary: 'Show one message, and report what became of it',
    complete: async (command) =>
      (await import('./commands/messages/define-messages.ts')).defineMessages(command),
  },
  {
    name: 'attachments',
    summary: 'Upload and download files',
    complete: async (command) =>
      (await import('./commands/attachments/define-attachments.ts')).defineAttachments(command),
  },
  {
    name: 'users',
    summary: 'Invite, change and remove the users of the tenant',
    complete: async (command) => (await import('./commands/users/define-users.ts')).defineUsers(command),
  },
  {
    name: 'inboxes',
    summary: 'Create, change and remove the inboxes of the tenant',
    complete: async (command) =>
      (await import('./commands/inboxes/define-inboxes.ts')).defineInboxes(command),
  },
  {
    name: 'tenant',
    summary: 'Show the tenant, and who changed what in it',
    complete: async (command) => (await import('./commands/tenant/define-tenant.ts')).defineTenant(command),
  },
  {
    name: 'webhooks',
    summary: 'Create, change and test webhooks, and read their delivery logs',
    complete: async (command) =>
      (await import('./commands/webhooks/define-webhooks.ts')).defineWebhooks(command),
  },
  {
    name: 'events',
    summary: 'Follow the events of the tenant',
    complete: async (command) => (await import('./commands/events/define-events.ts')).defineEvents(command),
  },
  {
    name: 'profiles',
    summary: 'List, choose and delete the profiles of this machine',
    complete: async (command) =>
      (await import('./commands/profiles/define-profiles.ts')).defineProfiles(command),
  },
  {
    name: 'doctor',
    summary: 'Check server, clock, credential and webhooks',
    complete: async (command) => (await import('./commands/doctor/doctor.ts')).defineDoctor(command),
  },
  {
    name: 'api',
    summary: 'Send any request, and print the answer',
    complete: async (command) => (await import('./commands/api/api.ts')).defineApi(command),
  },
  {
    name: 'completion',
    summary: 'Print the completion script of bash, zsh or fish',
    complete: async (command) => (await import('./commands/shell/completion.ts')).defineCompletion(command),
  },
  {
    name: 'commands',
    summary: 'List every command, for people and for agents',
    complete: async (command) => (await import('./commands/shell/commands.ts')).defineCommands(command),
  },
]

const exitCodesHelp = `
Output: a table on a terminal, tab-separated rows in a pipe, JSON with --json. Data on stdout, all else on stderr.
Exit codes: 0 ok, 1 failure, 2 usage, 3 not found, 4 credential or permission, 5 conflict or validation,
  6 rate limited, 130 interrupted.
Environment: CRM_API_KEY, CRM_BASE_URL, CRM_PROFILE, CRM_PASSWORD, CRM_KEYRING=off, NO_COLOR.

Examples:
  $ crm init --base-url http://127.0.0.1:3000 --tenant Engines --email grace@engines.test
  $ crm customers list --search ada --json _id,profile.email`

/** The command tree. Only the branch that is asked for gets its module loaded. */
export function createProgram(version: string) {
  const program = new Command('crm')
    .description('Work with a crmkit server from a terminal.')
    .version(version, '-V, --version')
    .helpCommand(false)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    // Errors are written in one place, because --json gives them another form.
    .configureOutput({ outputError: () => {} })
    .option('--profile <name>', 'the profile to use (or CRM_PROFILE)')
    .option('--base-url <url>', 'the server to talk to (or CRM_BASE_URL)')
    .option('--json [fields]', 'JSON on stdout, whole or with the given fields (a,b.c)')
    .option('-q, --quiet', 'ids or secrets alone on stdout, and no talk on stderr')
    .option('--no-color', 'no colours (or NO_COLOR)')
    .addHelpText('after', exitCodesHelp)
  for (const { name, summary, complete } of lazyCommands) {
    const command = new Command(name).summary(summary).description(`${summary}.`).helpCommand(false)
    program.addCommand(command.copyInheritedSettings(program))
    onLoad(command, () => complete(command))
  }
  program.hook('preSubcommand', (_, subcommand) => loadCommand(subcommand))
  return program
}
