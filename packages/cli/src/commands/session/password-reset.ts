import type { Command } from '@commander-js/extra-typings'
import { usageError } from '../../cli-error.ts'
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
import { chooseTenant, tenantsToChoose } from './choose-tenant.ts'
import { storeSession } from './store-session.ts'

interface ResetOptions extends PasswordOptions {
  readonly email?: string | undefined
  readonly tenantId?: string | undefined
  readonly tokenStdin?: true | undefined
  readonly tokenFile?: string | undefined
}

export function definePasswordReset(command: Command): void {
  command
    .description(
      'Set a new password when you have forgotten yours. With --email a link is sent to you; with the link you set the password and sign in. Without options the command asks for both.',
    )
    .option('--email <email>', 'send a link to this e-mail')
    .option('--tenant-id <id>', 'the tenant, if you belong to several')
    .option('--token-stdin', 'read the link, or its token, from stdin')
    .option('--token-file <file>', 'read the link, or its token, from a file')
    .option('--password-stdin', 'read the new password from stdin (or CRM_PASSWORD)')
    .option('--password-file <file>', 'read the new password from a file')
    .addHelpText(
      'after',
      examples(
        'crm password-reset --base-url https://crm.example.com --email ada@acme.test',
        'crm password-reset --base-url https://crm.example.com --token-file reset.token --password-file new.txt',
      ),
    )
    .action((options, self) => runAction(self, (context) => resetPassword(context, options)))
}

async function resetPassword(context: Context, options: ResetOptions): Promise<void> {
  const hasToken = options.tokenStdin ?? options.tokenFile
  if (options.tokenStdin && (options.tokenFile || options.passwordStdin))
    throw usageError('--token-stdin cannot be used with --token-file or --password-stdin.')
  if (options.email !== undefined && hasToken)
    throw usageError('--email asks for a link, --token-stdin and --token-file use it: give one of them.')
  if (hasToken) return confirm(context, options)
  const { baseUrl } = await askBaseUrl(context, { '--email (or --token-file)': options.email })
  const email = options.email ?? (await context.prompter.text('Your e-mail'))
  const crm = await createCrm({ baseUrl })
  const { message } = await crm.auth.requestPasswordReset({ email, tenantId: options.tenantId })
  context.output.say(`${cleanLine(message)}. It is valid for 30 minutes.`)
  if (options.email === undefined) await confirm(context, options)
}

async function confirm(context: Context, options: ResetOptions): Promise<void> {
  const { baseUrl, target } = await askBaseUrl(context, {
    [passwordFlag]: hasPasswordSource(context, options),
  })
  const token = tokenOf(await readLink(context, options))
  const password = await readPassword(context, options, {
    message: 'A new password (10 characters or more)',
    isNew: true,
  })
  const crm = await createCrm({ baseUrl })
  const send = (tenantId: string | undefined) => crm.auth.confirmPasswordReset({ token, password, tenantId })
  const session = await send(options.tenantId).catch(async (error: unknown) => {
    const tenants = tenantsToChoose(error)
    if (tenants.length === 0) throw error
    return send(await chooseTenant(context.prompter, tenants))
  })
  context.output.say('Your password is changed, and all your other sessions have ended.')
  await storeSession(context, { profileName: target.profileName, baseUrl, session })
}

function readLink({ prompter }: Context, { tokenFile, tokenStdin }: ResetOptions): Promise<string> {
  if (tokenStdin) return readStdinSecret('--token-stdin')
  if (tokenFile) return readSecretFile(tokenFile, '--token-file')
  return prompter.secret('The link of the mail')
}

/** People paste the whole link. */
function tokenOf(link: string): string {
  return /#token=(\S+)/.exec(link)?.[1] ?? link.trim()
}
