import { Option } from '@commander-js/extra-typings'
import type { CreateIntegration, Integration } from '@crmkit/sdk'
import { usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { readSecretFile, readStdinSecret } from '../../prompts/read-secret.ts'
import { addCommand, type NounCommand } from '../factories/add-command.ts'
import { runAction } from '../run-action.ts'
import { integrationColumns } from './integration-columns.ts'
import { signIn } from './sign-in.ts'

interface ConnectOptions {
  readonly signIn?: true | undefined
  readonly provider?: 'zoho' | 'hubspot' | undefined
  readonly name?: string | undefined
  readonly apiDomain?: string | undefined
  readonly accountsServer?: string | undefined
  readonly clientId?: string | undefined
  readonly clientSecretFile?: string | undefined
  readonly tokenFile?: string | undefined
  readonly tokenStdin?: true | undefined
}

const providers = [
  { name: 'Zoho CRM', value: 'zoho' },
  { name: 'HubSpot', value: 'hubspot' },
] as const

const ways = [
  { name: 'Sign in with a browser', value: 'signIn' },
  { name: 'Paste a token', value: 'token' },
] as const

/** `crm integrations connect`: tokens come from a file, stdin or a prompt, never from a flag. */
export const connectAccount: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'connect',
    summary: 'Connect an account at Zoho CRM or HubSpot',
    description:
      'Connect an account at Zoho CRM or HubSpot: by a sign-in in the browser, or by a refresh token or service key.',
    notes:
      '--sign-in needs the client id of an app in the settings of the server. With --client-id, a token of HubSpot is a refresh token. The same account again gets the new credentials.',
    examples: [
      'crm integrations connect --provider zoho --api-domain http://127.0.0.1:4010 --token-file zoho.token',
    ],
  })
    .addOption(new Option('--provider <provider>', 'the external CRM').choices(['zoho', 'hubspot']))
    .option('--sign-in', 'print an address for the browser, and wait until access is granted')
    .option('--name <name>', 'name')
    .option('--api-domain <origin>', 'origin of the API, such as https://www.zohoapis.eu')
    .option('--accounts-server <origin>', 'origin of the token endpoint, such as https://accounts.zoho.eu')
    .option('--client-id <id>', 'your app at the source; default: the one of the service')
    .option('--client-secret-file <file>', 'read the secret of that app from a file')
    .option('--token-file <file>', 'read the token from a file')
    .option('--token-stdin', 'read the token from stdin')
    .action((given, self) => runAction(self, (context) => connect(context, given as ConnectOptions)))
}

async function connect(context: Context, options: ConnectOptions): Promise<void> {
  const { output, prompter } = context
  if (options.signIn && isTokenNamed(options)) throw usageError('--sign-in needs no token and no address.')
  prompter.requireValues({
    '--provider': options.provider,
    '--sign-in (or --token-file, --token-stdin)':
      options.signIn || options.tokenStdin || options.tokenFile || undefined,
  })
  const provider = options.provider ?? (await prompter.chooseOne('Which CRM?', providers))
  const { name } = options
  const row = (await isBySignIn(context, options))
    ? await signIn(context, { provider, name })
    : await connectByToken(context, provider, options)
  output.say(`Connected ${cleanLine(row.accountName ?? row.accountId)}.`)
  printRecord(output, { row, columns: integrationColumns, quiet: row._id })
}

function isTokenNamed(options: ConnectOptions): boolean {
  const { apiDomain, accountsServer, clientId, clientSecretFile, tokenFile, tokenStdin } = options
  const named = [apiDomain, accountsServer, clientId, clientSecretFile, tokenFile, tokenStdin]
  return named.some((value) => value !== undefined)
}

async function isBySignIn({ prompter }: Context, options: ConnectOptions): Promise<boolean> {
  if (options.signIn) return true
  if (isTokenNamed(options)) return false
  return (await prompter.chooseOne('How do you connect it?', ways)) === 'signIn'
}

async function connectByToken(
  context: Context,
  provider: 'zoho' | 'hubspot',
  options: ConnectOptions,
): Promise<Integration> {
  const { call } = await openClient(context)
  const body: CreateIntegration = {
    provider,
    name: options.name,
    apiDomain: options.apiDomain ?? (await askApiDomain(context, provider)),
    accountsServer: options.accountsServer,
    credentials: await readCredentials(context, provider, options),
  }
  return call((crm) => crm.integrations.create(body))
}

/** HubSpot has one address, which the service knows. */
async function askApiDomain({ prompter }: Context, provider: string): Promise<string | undefined> {
  if (provider !== 'zoho') return undefined
  prompter.requireValues({ '--api-domain': undefined })
  return prompter.text('Origin of the API', { default: 'https://www.zohoapis.com' })
}

async function readCredentials(
  context: Context,
  provider: 'zoho' | 'hubspot',
  options: ConnectOptions,
): Promise<CreateIntegration['credentials']> {
  const { clientId, clientSecretFile } = options
  const isRefreshToken = provider === 'zoho' || clientId !== undefined
  const token = await readToken(context, options, isRefreshToken ? 'Refresh token' : 'Service key')
  const clientSecret = await readClientSecret(context, clientId, clientSecretFile)
  return { clientId, clientSecret, ...(isRefreshToken ? { refreshToken: token } : { accessToken: token }) }
}

async function readToken(
  { prompter }: Context,
  { tokenFile, tokenStdin }: ConnectOptions,
  message: string,
): Promise<string> {
  if (tokenFile !== undefined && tokenStdin)
    throw usageError('--token-stdin and --token-file cannot be used together.')
  if (tokenStdin) return readStdinSecret('--token-stdin')
  if (tokenFile !== undefined) return readSecretFile(tokenFile, '--token-file')
  return prompter.secret(message)
}

async function readClientSecret(
  { prompter }: Context,
  clientId: string | undefined,
  file: string | undefined,
): Promise<string | undefined> {
  if (file !== undefined) return readSecretFile(file, '--client-secret-file')
  if (clientId === undefined) return undefined
  prompter.requireValues({ '--client-secret-file': undefined })
  return prompter.secret('Client secret')
}
