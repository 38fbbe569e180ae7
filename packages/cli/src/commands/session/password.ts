import type { Command } from '@commander-js/extra-typings'
import { usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { openClient } from '../../profile/open-client.ts'
import { askNewPassword, readPassword, readSecretFile, readStdinSecret } from '../../prompts/read-secret.ts'
import { examples, runAction } from '../run-action.ts'

interface PasswordChange {
  readonly passwordFile?: string | undefined
  readonly newPasswordFile?: string | undefined
  readonly newPasswordStdin?: true | undefined
}

export function definePassword(command: Command): void {
  command
    .description('Change your password. All your other sessions end.')
    .option('--password-file <file>', 'read the present password from a file (or CRM_PASSWORD)')
    .option('--new-password-file <file>', 'read the new password from a file')
    .option('--new-password-stdin', 'read the new password from stdin')
    .addHelpText('after', examples('crm password --password-file secret.txt --new-password-stdin < new.txt'))
    .action((options, self) => runAction(self, (context) => changePassword(context, options)))
}

async function changePassword(context: Context, options: PasswordChange): Promise<void> {
  const { environment, output, prompter } = context
  prompter.requireValues({
    '--password-file (or CRM_PASSWORD)': options.passwordFile ?? environment.password,
    '--new-password-stdin (or --new-password-file)': options.newPasswordStdin ?? options.newPasswordFile,
  })
  const client = await openClient(context, 'session')
  const currentPassword = await readPassword(
    context,
    { passwordFile: options.passwordFile },
    { message: 'Your present password', isNew: false },
  )
  const newPassword = await readNewPassword(context, options)
  const reply = await client.call((crm) => crm.auth.changePassword({ currentPassword, newPassword }))
  output.say(cleanLine(reply.message))
}

async function readNewPassword(
  { prompter }: Context,
  { newPasswordFile, newPasswordStdin }: PasswordChange,
): Promise<string> {
  if (newPasswordFile && newPasswordStdin) {
    throw usageError('--new-password-stdin and --new-password-file cannot be used together.')
  }
  if (newPasswordStdin) return readStdinSecret('--new-password-stdin')
  if (newPasswordFile) return readSecretFile(newPasswordFile, '--new-password-file')
  return askNewPassword(prompter, 'A new password (10 characters or more)')
}
