import type { Command } from '@commander-js/extra-typings'
import { credentialError, usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { createCrm } from '../../profile/open-client.ts'
import {
  hasPasswordSource,
  type PasswordOptions,
  passwordFlag,
  readPassword,
  readSecretFile,
  readStdinSecret,
} from '../../prompts/read-secret.ts'
import { examples, runAction } from '../run-action.ts'
import { askBaseUrl } from './ask-base-url.ts'
import { storeSession } from './store-session.ts'

interface AcceptOptions extends PasswordOptions {
  readonly tokenStdin?: true | undefined
  readonly tokenFile?: string | undefined
  readonly separate?: true | undefined
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
}

export function defineAcceptInvite(command: Command): void {
  command
    .description(
      'Accept an invitation and sign in. If your e-mail already has a password on this server, give that password; otherwise choose a new one.',
    )
    .option('--token-stdin', 'read the invite token from stdin')
    .option('--token-file <file>', 'read the invite token from a file')
    .option('--separate', 'accept with a password of your own when somebody else has used your e-mail')
    .option('--first-name <name>', 'your first name, unless the invitation has one')
    .option('--last-name <name>', 'your last name, unless the invitation has one')
    .option('--password-stdin', 'read the password from stdin (or CRM_PASSWORD)')
    .option('--password-file <file>', 'read the password from a file')
    .addHelpText(
      'after',
      examples(
        'crm accept-invite --base-url https://crm.example.com --token-file invite.token',
        'crm accept-invite --base-url https://crm.example.com --password-file secret.txt --token-stdin < invite.token',
      ),
    )
    .action((options, self) => runAction(self, (context) => acceptInvite(context, options)))
}

async function acceptInvite(context: Context, options: AcceptOptions): Promise<void> {
  if (options.tokenStdin && (options.tokenFile || options.passwordStdin)) {
    throw usageError('--token-stdin cannot be used with --token-file or --password-stdin.')
  }
  const { baseUrl, target } = await askBaseUrl(context, {
    '--token-stdin (or --token-file)': options.tokenStdin ?? options.tokenFile,
    [passwordFlag]: hasPasswordSource(context, options),
  })
  const token = (await readToken(context, options)).trim()
  const crm = await createCrm({ baseUrl })
  const { tenant: team, inviter, email } = await crm.auth.invitation({ token })
  const who = inviter ? `${inviter.name} invites ${email}` : `${email} is invited`
  context.output.say(cleanLine(`${who} to the team ${team.name}.`))
  const password = await readPassword(context, options, {
    message: 'A password (10 characters or more), or your present password on this server',
    isNew: true,
  })
  const { separate, firstName, lastName } = options
  const accepted = crm.auth.acceptInvite({ token, password, separate, firstName, lastName })
  const session = await accepted.catch((error: unknown) => {
    throw withHint(error)
  })
  const { tenant, user } = session
  context.output.say(`You have joined ${cleanLine(tenant.name)} as ${cleanLine(user.email)} (${user.role}).`)
  await storeSession(context, { profileName: target.profileName, baseUrl, session })
}

/** The refusal with the option that helps a person whose e-mail somebody else has used. */
function withHint(error: unknown): unknown {
  const { code, body } = (error ?? {}) as { code?: unknown; body?: { error?: unknown } }
  if (code !== 'AUTH_REQUIRED') return error
  return credentialError(
    String(body?.error ?? error),
    'If your e-mail has a password on this server that is not yours, choose one for this tenant with --separate.',
  )
}

function readToken(context: Context, { tokenFile, tokenStdin }: AcceptOptions): Promise<string> {
  if (tokenStdin) return readStdinSecret('--token-stdin')
  if (tokenFile) return readSecretFile(tokenFile, '--token-file')
  return context.prompter.secret('Your invite token')
}
