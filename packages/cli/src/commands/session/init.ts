import { hostname } from 'node:os'
import type { Command } from '@commander-js/extra-typings'
import { CliError, usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { exitCodes } from '../../exit-codes.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { printSecret, secretOf } from '../../output/print-secret.ts'
import { createCrm, openClient } from '../../profile/open-client.ts'
import { credentialKind } from '../../profile/profile.ts'
import {
  hasPasswordSource,
  type PasswordOptions,
  passwordFlag,
  readPassword,
} from '../../prompts/read-secret.ts'
import { savingSecret } from '../../prompts/secret-file.ts'
import { permissionNames } from '../keys/permission-list.ts'
import { keySecret } from '../keys.ts'
import { examples, runAction } from '../run-action.ts'
import { askBaseUrl } from './ask-base-url.ts'
import { storeSession } from './store-session.ts'

interface InitOptions extends PasswordOptions {
  readonly tenant?: string | undefined
  readonly email?: string | undefined
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
  readonly setupToken?: string | undefined
  readonly key: boolean
  readonly keyFile?: string | undefined
  readonly force?: true | undefined
}

export function defineInit(command: Command): void {
  command
    .option('--tenant <name>', 'name of the new tenant')
    .option('--email <email>', "the owner's e-mail")
    .option('--first-name <name>', "the owner's first name")
    .option('--last-name <name>', "the owner's last name")
    .option('--password-stdin', 'read the password from stdin (or CRM_PASSWORD)')
    .option('--password-file <file>', 'read the password from a file')
    .option('--setup-token <token>', 'the token that the server prints at its start, for its first tenant')
    // Explicit, because commander reads the default before a lazy command has its options.
    .option('--no-key', 'create no API key', true)
    .option('--key-file <file>', 'write the API key to a new file, mode 0600, instead of showing it')
    .option('--force', 'replace the stored credentials of the profile')
    .addHelpText(
      'after',
      examples(
        'crm init --base-url http://127.0.0.1:3000 --tenant Engines --email grace@engines.test',
        'crm init --base-url https://crm.example.com --tenant Engines --email grace@engines.test --password-stdin < secret.txt',
      ),
    )
    .action((options, self) => runAction(self, (context) => init(context, options)))
}

async function init(context: Context, options: InitOptions): Promise<void> {
  const { output, prompter } = context
  const { baseUrl, target } = await askBaseUrl(context, {
    '--tenant': options.tenant,
    '--email': options.email,
    [passwordFlag]: hasPasswordSource(context, options),
  })
  if (target.profile && credentialKind(target.profile) && !options.force) {
    throw usageError(
      `The profile "${target.profileName}" already has credentials for ${target.profile.baseUrl}.`,
      'Name another profile with --profile, or replace the credentials with --force.',
    )
  }
  const tenantName = options.tenant ?? (await prompter.text('Name of the tenant'))
  const email = options.email ?? (await prompter.text('Your e-mail'))
  const password = await readPassword(context, options, {
    message: 'A password (10 characters or more)',
    isNew: true,
  })
  const { firstName, lastName, setupToken } = options
  const crm = await createCrm({ baseUrl })
  const session = await crm.auth
    .register({ tenantName, email, password, firstName, lastName, ...(setupToken && { setupToken }) })
    .catch(async (error: unknown) => {
      if (!isRegistrationOff(error)) throw error
      const state = await crm.auth.registration()
      throw state.setupToken ? setupTokenIsNeeded() : registrationIsOff()
    })
  output.say(`Registered ${cleanLine(session.tenant.name)} with its owner ${cleanLine(session.user.email)}.`)
  await storeSession(context, { profileName: target.profileName, baseUrl, session })
  if (!options.key) return
  await makeFirstKey({ ...context, flags: { profile: target.profileName, baseUrl } }, options)
}

function isRegistrationOff(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'PERMISSION_DENIED'
}

function setupTokenIsNeeded(): CliError {
  return new CliError('The first tenant of this server needs its setup token.', {
    code: 'PERMISSION_DENIED',
    exitCode: exitCodes.credential,
    hint: 'The server prints it at its start. Give it with --setup-token.',
  })
}

function registrationIsOff(): CliError {
  return new CliError('Registration is switched off on this server.', {
    code: 'PERMISSION_DENIED',
    exitCode: exitCodes.credential,
    hint: 'The operator creates tenants with "crm-server tenants create", or starts the server with CRM_REGISTRATION=first for the first tenant.',
  })
}

async function makeFirstKey(context: Context, { keyFile }: InitOptions): Promise<void> {
  const client = await openClient(context, 'session')
  const name = `crm init on ${hostname()}`.slice(0, 100)
  const saved = await savingSecret(context, {
    path: keyFile,
    create: () => client.call((crm) => crm.apiKeys.create({ name, permissions: permissionNames })),
    secretOf: (created) => secretOf(keySecret, created),
  })
  printSecret(context.output, keySecret, saved)
}
