import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { openClient } from '../../profile/open-client.ts'
import { savingSecret } from '../../prompts/secret-file.ts'
import { addToList, isoMoment, momentAfter } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { parsePermissions, permissionChoices, permissionNames } from './permission-list.ts'
import { printCreatedKey } from './print-created-key.ts'

interface CreateOptions {
  readonly name?: string | undefined
  readonly permissions?: readonly string[] | undefined
  readonly environment?: 'production' | 'staging' | undefined
  readonly expiresAt?: string | undefined
  readonly expiresIn?: string | undefined
  readonly rateLimit?: string | undefined
  readonly allowIp?: readonly string[] | undefined
  readonly keyFile?: string | undefined
}

export function defineCreateKey(keys: CommandUnknownOpts): void {
  keys
    .command('create')
    .summary('Create an API key; it is shown once')
    .description('Create an API key. The key is shown once; with --quiet it is alone on stdout.')
    .option('--name <name>', 'what the key is for')
    .option('--permissions <list>', `comma separated, or all: ${permissionNames.join(', ')}`, addToList)
    .addOption(
      new Option('--environment <name>', 'where it works').choices(['production', 'staging'] as const),
    )
    .addOption(
      new Option('--expires-in <time>', 'such as 12h, 90d or 8w')
        .argParser(momentAfter)
        .conflicts('expiresAt'),
    )
    .option('--expires-at <time>', 'such as 2027-01-31', isoMoment)
    .option('--rate-limit <limit>', "the key's own limit, such as 100/minute or 5000/1h")
    .option('--allow-ip <list>', 'addresses and CIDR blocks that may use it; default: any', addToList)
    .option('--key-file <file>', 'write the key to a new file, mode 0600, instead of showing it')
    .addHelpText(
      'after',
      examples(
        'crm keys create --name "Shop sync" --permissions read:customers,write:customers --expires-in 90d',
        'export CRM_API_KEY=$(crm keys create --name ci --permissions all --quiet)',
      ),
    )
    .action((options, self) => runAction(self, (context) => createKey(context, options)))
}

async function createKey(context: Context, options: CreateOptions): Promise<void> {
  const { output, prompter } = context
  const given = options.permissions && parsePermissions(options.permissions)
  const rateLimit = options.rateLimit === undefined ? undefined : parseRateLimit(options.rateLimit)
  prompter.requireValues({ '--name': options.name, '--permissions': given })
  const client = await openClient(context, 'session')
  const name = options.name ?? (await prompter.text('What is the key for?'))
  const permissions = given ?? (await prompter.choose('What may it do?', permissionChoices))
  const { environment, allowIp: ipWhitelist } = options
  const expiresAt = options.expiresAt ?? options.expiresIn
  const body = { name, permissions, environment, expiresAt, rateLimit, ipWhitelist }
  const create = () => client.call((crm) => crm.apiKeys.create(body))
  const created = await savingSecret(options.keyFile, create, ({ key }) => key)
  printCreatedKey(output, created, options.keyFile)
}

function parseRateLimit(text: string): { requests: number; window: string } {
  const [, requests, window] = /^(\d{1,7})\/(.+)$/.exec(text) ?? []
  if (requests && window) return { requests: Number(requests), window: window.trim() }
  throw usageError('--rate-limit is not like 100/minute or 5000/1h.')
}
