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
  readStdinSecret,
} from '../../prompts/read-secret.ts'
import { examples, runAction } from '../run-action.ts'
import { askBaseUrl } from './ask-base-url.ts'
import { checkApiKey } from './check-api-key.ts'
import { chooseTenant, tenantsToChoose } from './choose-tenant.ts'
import { storeProfile, storeSession } from './store-session.ts'

interface LoginOptions extends PasswordOptions {
  readonly email?: string | undefined
  readonly tenantId?: string | undefined
  readonly apiKeyStdin?: true | undefined
}

export function defineLogin(command: Command): void {
  command
    .option('--email <email>', 'your e-mail')
    .option('--tenant-id <id>', 'the tenant, when you belong to several')
    .option('--password-stdin', 'read the password from stdin (or CRM_PASSWORD)')
    .option('--password-file <file>', 'read the password from a file')
    .option('--api-key-stdin', 'store the API key on stdin instead of signing in')
    .addHelpText(
      'after',
      examples(
        'crm login --base-url https://crm.example.com --email ada@acme.test',
        'crm login --profile ci --base-url https://crm.example.com --api-key-stdin < key.txt',
      ),
    )
    .action((options, self) =>
      runAction(self, (context) =>
        options.apiKeyStdin ? storeApiKey(context, options) : login(context, options),
      ),
    )
}

async function login(context: Context, options: LoginOptions): Promise<void> {
  const { output, prompter } = context
  const { baseUrl, target } = await askBaseUrl(context, {
    '--email': options.email,
    [passwordFlag]: hasPasswordSource(context, options),
  })
  const email = options.email ?? (await prompter.text('Your e-mail', { default: target.profile?.email }))
  const password = await readPassword(context, options, { message: 'Your password', isNew: false })
  const crm = await createCrm({ baseUrl })
  const { tenantId } = options
  const session = await crm.auth.login({ email, password, tenantId }).catch(async (error: unknown) => {
    const tenants = tenantsToChoose(error)
    if (tenantId !== undefined || tenants.length === 0) throw error
    return crm.auth.login({ email, password, tenantId: await chooseTenant(prompter, tenants) })
  })
  output.say(`Signed in to ${cleanLine(session.tenant.name)} as ${cleanLine(session.user.email)}.`)
  await storeSession(context, { profileName: target.profileName, baseUrl, session })
}

async function storeApiKey(context: Context, options: LoginOptions): Promise<void> {
  if (options.passwordStdin || options.passwordFile || options.email || options.tenantId) {
    throw usageError(
      '--api-key-stdin cannot be used with --email, --tenant-id, --password-stdin or --password-file.',
    )
  }
  const { baseUrl, target } = await askBaseUrl(context, {})
  const apiKey = (await readStdinSecret('--api-key-stdin')).trim()
  const { isKeyText } = await import('@crmkit/core')
  // Any other text from stdin is not sent to the server: it may be another secret.
  if (!isKeyText(apiKey))
    throw usageError('The text from stdin is not an API key: its format or its checksum is wrong.')
  const failure = await checkApiKey(baseUrl, apiKey)
  if (failure) throw credentialError(`The server refuses this API key: ${failure}`)
  await storeProfile(context, target.profileName, { baseUrl, apiKey, keyring: 'apiKey' })
}
