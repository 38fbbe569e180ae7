import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { openClient } from '../../profile/open-client.ts'
import { savingSecret } from '../../prompts/secret-file.ts'
import { examples, runAction } from '../run-action.ts'
import { printInvitedUser } from './print-invited-user.ts'

interface InviteRequest {
  readonly id: string
  readonly tokenFile: string | undefined
}

export function defineInviteUser(users: CommandUnknownOpts): void {
  users
    .command('invite')
    .argument('<id>', 'the id of the user')
    .summary('Make a new invite token; it is shown once')
    .description(
      'Make a new invite token for a user who has not accepted yet; it is shown once, and the one before ends. To invite somebody new, use "crm users create".',
    )
    .option('--token-file <file>', 'write the token to a new file, mode 0600, instead of showing it')
    .addHelpText('after', examples('crm users invite usr_01J8ZQ4W7N --token-file grace.token'))
    .action((id, { tokenFile }, self) =>
      runAction(self, (context) => inviteUserAgain(context, { id, tokenFile })),
    )
}

async function inviteUserAgain(context: Context, { id, tokenFile: path }: InviteRequest): Promise<void> {
  const client = await openClient(context, 'session')
  const create = () => client.call((crm) => crm.users.inviteAgain(id))
  const secretOf = ({ inviteToken }: { inviteToken: string }) => inviteToken
  printInvitedUser(context.output, await savingSecret(context, { path, create, secretOf }))
}
