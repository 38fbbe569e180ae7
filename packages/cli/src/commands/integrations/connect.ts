import { Option } from '@commander-js/extra-typings'
import type { CreateIntegration } from '@crmkit/sdk'
import { usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { readSecretFile, readStdinSecret } from '../../prompts/read-secret.ts'
import { addCommand, type NounCommand } from '../factories/add-command.ts'
import { runAction } from '../run-action.ts'
import { integrationColumns } from './integration-columns.ts'

interface ConnectOptions {
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

/** `crm integrations connect`: tokens come from a file, stdin or a prompt, never from a flag. */
export const connectAccount: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'connect',
    summary: 'Connect an account at Zoho CRM or HubSpot',
    description: 'Connect an account at Zoho CRM (a refresh token) or HubSpot (a service key).',
    notes:
      'With --client-id, a token of HubSpot is a refresh token. The same account again gets the new credentials.',
    examples: [
      'crm integrations connect --provider zoho --api-domain http://127.0.0.1:4010 --token-file zoho.token',
    ],
  })
    .addOption(new Option('--provider <provider>', 'the external CRM').choices(['zoho', 'hubspot']))
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
  prompter.requireValues({
    '--provider': options.provider,
    '--token-file (or --token-stdin)': options.tokenStdin || options.tokenFile,
  })
  const provider = options.provider ?? (await prompter.chooseOne('Which CRM?', providers))
  const { call } = await openClient(context)
  const body: CreateIntegration = {
    provider,
    name: options.name,
    apiDomain: options.apiDomain ?? (await askApiDomain(context, provider)),
    accountsServer: options.accountsServer,
    credentials: await readCredentials(context, provider, options),
  }
  const row = await call((crm) => crm.integrations.create(body))
  output.say(`Connected ${row.accountName ?? row.accountId}.`)
  printRecord(output, { row, columns: integrationColumns, quiet: row._id })
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
