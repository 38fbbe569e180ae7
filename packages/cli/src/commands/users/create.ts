import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { openClient } from '../../profile/open-client.ts'
import { savingSecret } from '../../prompts/secret-file.ts'
import { examples, runAction } from '../run-action.ts'
import { printInvitedUser } from './print-invited-user.ts'
import { userRoles } from './user-roles.ts'

interface CreateOptions {
  readonly email?: string | undefined
  readonly role?: (typeof userRoles)[number] | undefined
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
  readonly tokenFile?: string | undefined
}

export function defineCreateUser(users: CommandUnknownOpts): void {
  users
    .command('create')
    .summary('Invite a person; the invite token is shown once')
    .description(
      'Invite a person into the tenant. The invite token is shown once; with --quiet it is alone on stdout. Within 72 hours the person accepts with "crm accept-invite".',
    )
    .option('--email <email>', 'e-mail')
    .addOption(new Option('--role <role>', 'what the user may do').choices(userRoles))
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .option('--token-file <file>', 'write the token to a new file, mode 0600, instead of showing it')
    .addHelpText(
      'after',
      examples(
        'crm users create --email grace@acme.test --role agent --token-file grace.token',
        'token=$(crm users create --email grace@acme.test --role viewer --quiet)',
      ),
    )
    .action((options, self) => runAction(self, (context) => createUser(context, options)))
}

async function createUser(context: Context, options: CreateOptions): Promise<void> {
  const { output, prompter } = context
  prompter.requireValues({ '--email': options.email, '--role': options.role })
  const client = await openClient(context, 'session')
  const { firstName, lastName, tokenFile: path } = options
  const email = options.email ?? (await prompter.text('Their e-mail'))
  const role = options.role ?? (await prompter.chooseOne('What may they do?', roleChoices))
  const create = () => client.call((crm) => crm.users.create({ email, role, firstName, lastName }))
  const secretOf = ({ inviteToken }: { inviteToken: string }) => inviteToken
  printInvitedUser(output, await savingSecret(context, { path, create, secretOf }))
}

const roleChoices = userRoles.map((value) => ({ value }))
