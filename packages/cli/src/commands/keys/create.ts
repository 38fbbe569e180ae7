import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { openClient } from '../../profile/open-client.ts'
import { savingSecret } from '../../prompts/secret-file.ts'
import { addToList } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { expiryOptions, type KeySettings, limitOptions, settingsBody } from './key-settings.ts'
import { parsePermissions, permissionChoices, permissionNames } from './permission-list.ts'
import { printCreatedKey } from './print-created-key.ts'

interface CreateOptions extends KeySettings {
  readonly environment?: 'production' | 'staging' | undefined
  readonly keyFile?: string | undefined
}

export function defineCreateKey(keys: CommandUnknownOpts): void {
  const create = keys
    .command('create')
    .summary('Create an API key; it is shown once')
    .description('Create an API key. The key is shown once; with --quiet it is alone on stdout.')
    .option('--name <name>', 'what the key is for')
    .option('--permissions <list>', `comma separated, or all: ${permissionNames.join(', ')}`, addToList)
    .addOption(
      new Option('--environment <name>', 'where it works').choices(['production', 'staging'] as const),
    )
  for (const option of [...expiryOptions(), ...limitOptions()]) create.addOption(option)
  create
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
  const settings = settingsBody(options)
  prompter.requireValues({ '--name': options.name, '--permissions': given })
  const client = await openClient(context, 'session')
  const name = options.name ?? (await prompter.text('What is the key for?'))
  const permissions = given ?? (await prompter.choose('What may it do?', permissionChoices))
  const body = { ...settings, name, permissions, environment: options.environment }
  const create = () => client.call((crm) => crm.apiKeys.create(body))
  const secretOf = ({ key }: { key: string }) => key
  const saved = await savingSecret(context, { path: options.keyFile, create, secretOf })
  printCreatedKey(output, saved)
}
