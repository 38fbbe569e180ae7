import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { UpdateApiKey } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { assertChange } from '../assert-change.ts'
import { addToList } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { keyColumns } from './key-columns.ts'
import { expiryOptions, type KeySettings, limitOptions, settingsBody } from './key-settings.ts'
import { parsePermissions, permissionNames } from './permission-list.ts'

interface UpdateOptions extends KeySettings {
  readonly neverExpires?: true | undefined
  readonly defaultRateLimit?: true | undefined
  readonly anyIp?: true | undefined
  readonly stopRotation?: true | undefined
  readonly activate?: true | undefined
}

export function defineUpdateKey(keys: CommandUnknownOpts): void {
  const update = keys
    .command('update')
    .argument('<id>', 'the id of the key')
    .summary('Change the settings of an API key')
    .description('Change the settings of an API key. What is not named stays; lists are replaced.')
    .option('--name <name>', 'what the key is for')
    .option('--permissions <list>', `comma separated, or all: ${permissionNames.join(', ')}`, addToList)
  for (const option of [...expiryOptions(), ...limitOptions()]) update.addOption(option)
  update
    .addOption(new Option('--never-expires', 'no expiry').conflicts(['expiresAt', 'expiresIn']))
    .addOption(new Option('--default-rate-limit', "no limit of the key's own").conflicts('rateLimit'))
    .addOption(new Option('--any-ip', 'usable from every address').conflicts('allowIp'))
    .addOption(new Option('--stop-rotation', 'no reminder').conflicts('rotateEvery'))
    .option('--activate', 'make a revoked key work again')
    .addHelpText(
      'after',
      examples(
        'crm keys update key_01J8ZQ4W7N --permissions read:customers --expires-in 90d',
        'crm keys update key_01J8ZQ4W7N --rate-limit 100/minute --rotate-every 90',
      ),
    )
    .action((id, options, self) => runAction(self, (context) => updateKey(context, id, bodyOf(options))))
}

function bodyOf(options: UpdateOptions): UpdateApiKey {
  const { name, permissions, neverExpires, defaultRateLimit, anyIp, stopRotation, activate } = options
  return {
    ...settingsBody(options),
    ...(neverExpires ? { expiresAt: null } : {}),
    ...(defaultRateLimit ? { rateLimit: null } : {}),
    ...(anyIp ? { ipWhitelist: [] } : {}),
    ...(stopRotation ? { rotationPolicy: null } : {}),
    name,
    permissions: permissions && parsePermissions(permissions),
    isActive: activate,
  }
}

async function updateKey(context: Context, id: string, body: UpdateApiKey): Promise<void> {
  assertChange({ ...body })
  const client = await openClient(context, 'session')
  const key = await client.call((crm) => crm.apiKeys.update(id, body))
  context.output.say('Changed the key.')
  printRecord(context.output, { row: key, columns: keyColumns, quiet: key._id })
}
