import { Option } from '@commander-js/extra-typings'
import type { ApiKey, CreatedApiKey } from '@crmkit/sdk'
import { apiKeys } from '../operations/api-keys.gen.ts'
import { cleanLine } from '../output/clean-text.ts'
import type { Column, Tone } from '../output/column.ts'
import type { SecretKind } from '../output/print-secret.ts'
import { defineNoun } from './factories/define-noun.ts'
import { deleteCommand } from './factories/delete-command.ts'
import { getCommand } from './factories/get-command.ts'
import { listCommand } from './factories/list-command.ts'
import { createSecretCommand, renewSecretCommand } from './factories/secret-commands.ts'
import { actionCommand, updateCommand } from './factories/update-command.ts'
import { addKeySettings, keyFields, settingsBody } from './keys/key-settings.ts'
import { permissionChoices } from './keys/permission-list.ts'
import { keyUsage } from './keys/usage.ts'

function keyStatus({ isActive, expiresAt, rotationOverdue }: ApiKey): string {
  if (!isActive) return 'inactive'
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) return 'expired'
  return rotationOverdue ? 'overdue for rotation' : 'active'
}

const statusTones: Readonly<Record<string, Tone>> = {
  inactive: 'quiet',
  expired: 'bad',
  'overdue for rotation': 'attention',
}

const columns: readonly Column<ApiKey>[] = [
  { title: 'Id', value: (key) => key._id },
  { title: 'Name', value: (key) => key.name, isFlexible: true },
  { title: 'For customers', value: (key) => key.displayName, isDetail: true },
  { title: 'Key', value: (key) => `${key.keyPrefix}…${key.keyHint}` },
  { title: 'Status', value: keyStatus, tone: (key) => statusTones[keyStatus(key)] },
  { title: 'Environment', value: (key) => key.environment, isDetail: true },
  { title: 'Permissions', value: (key) => key.permissions, isFlexible: true, isOptional: true },
  { title: 'Expires', value: (key) => key.expiresAt, isDeadline: true, isDetail: true },
  { title: 'Rotation due', value: (key) => key.rotationDueAt, isDeadline: true, isDetail: true },
  { title: 'Last used', value: (key) => key.lastUsedAt, isTime: true },
  { title: 'Created', value: (key) => key.createdAt, isTime: true, isOptional: true },
]

export const keySecret: SecretKind<CreatedApiKey> = {
  field: 'key',
  name: 'key',
  title: 'Key',
  columns,
  columnsBeside: columns.filter(({ title }) => title !== 'Last used' && title !== 'Key'),
}

const idFromList = 'the id of the key, as in "crm keys list"'
export const defineKeys = defineNoun({
  name: 'key',
  prefix: 'key',
  notes: 'API keys are managed by a signed-in admin or owner.',
  columns,
  examples: ['crm keys list'],
  commands: [
    createSecretCommand({
      operation: apiKeys.create,
      summary: 'Create an API key; it is shown once',
      description: 'Create an API key. The key is shown once; with --quiet it is alone on stdout.',
      examples: [
        'crm keys create --name "Shop sync" --permissions read:customers,write:customers --expires-in 90d',
        'export CRM_API_KEY=$(crm keys create --name ci --permissions all --quiet)',
      ],
      file: 'key',
      secret: keySecret,
      fields: { ...keyFields, environment: { text: 'the environment that the key is for', value: 'name' } },
      options: addKeySettings,
      inputOf: settingsBody,
      ask: {
        name: 'What is the key for?',
        permissions: (prompter) => prompter.choose('What may it do?', permissionChoices),
      },
    }),
    listCommand({
      operation: apiKeys.list,
      examples: ['crm keys list --active', 'crm keys list --all --json _id,name,lastUsedAt'],
      rowName: 'API key',
      fields: {
        environment: { text: 'keys of this environment', value: 'name' },
        isActive: {
          pair: [
            ['active', 'only active keys'],
            ['inactive', 'only revoked keys'],
          ],
        },
      },
    }),
    getCommand({
      operation: apiKeys.get,
      summary: 'Show an API key',
      description: 'Show an API key: its settings and its last use. The key itself is never shown again.',
      examples: ['crm keys get key_01J8ZQ4W7N', 'crm keys get key_01J8ZQ4W7N --json'],
      id: idFromList,
    }),
    updateCommand({
      operation: apiKeys.update,
      summary: 'Change the settings of an API key',
      description:
        'Change the settings of an API key. Fields that you do not name stay as they are; lists are replaced.',
      examples: [
        'crm keys update key_01J8ZQ4W7N --permissions read:customers --expires-in 90d',
        'crm keys update key_01J8ZQ4W7N --rate-limit 100/minute --rotate-every 90',
      ],
      fields: { ...keyFields, isActive: false },
      options: (command) =>
        addKeySettings(command)
          .addOption(new Option('--never-expires', 'remove the expiry').conflicts(['expiresAt', 'expiresIn']))
          .addOption(new Option('--default-rate-limit', "remove the key's own limit").conflicts('rateLimit'))
          .addOption(new Option('--any-ip', 'allow every address').conflicts('allowIp'))
          .addOption(new Option('--stop-rotation', 'remove the reminder').conflicts('rotateEvery'))
          .option('--activate', 'activate a revoked key again'),
      clear: ['display-name'],
      inputOf: ({ neverExpires, defaultRateLimit, anyIp, stopRotation, activate, ...settings }) => ({
        ...settingsBody(settings),
        isActive: activate,
        ...(neverExpires && { expiresAt: null }),
        ...(defaultRateLimit && { rateLimit: null }),
        ...(anyIp && { ipWhitelist: [] }),
        ...(stopRotation && { rotationPolicy: null }),
      }),
    }),
    keyUsage,
    renewSecretCommand({
      operation: apiKeys.rotate,
      summary: 'Replace an API key with a new one; it is shown once',
      description:
        'Replace an API key with a new one that has the same settings; it is shown once. The old key works until the overlap ends.',
      notes:
        'Without an overlap every program that uses the old key fails immediately, so the command asks first.',
      examples: [
        'crm keys rotate key_01J8ZQ4W7N --overlap 2d --key-file new.key',
        'crm keys rotate key_01J8ZQ4W7N --overlap 0s --yes --quiet',
      ],
      file: 'key',
      secret: keySecret,
      overlap: {
        description: 'how long the old key stays valid, up to 7d; default 24h',
        question: (id) => `End ${id} immediately? Every program that uses it fails from now on.`,
      },
    }),
    actionCommand({
      operation: apiKeys.revoke,
      summary: 'Deactivate an API key',
      description:
        'Deactivate an API key. It is refused from the next request on, after 10 seconds at the latest.',
      examples: ['crm keys revoke key_01J8ZQ4W7N --yes'],
      id: idFromList,
      confirm: {
        question: (id) => `Revoke ${id}? Every program that uses it fails from now on.`,
        refusal: 'Nothing was revoked.',
      },
      done: ({ name }) => `Revoked ${cleanLine(name)}.`,
    }),
    deleteCommand({
      operation: apiKeys.delete,
      summary: 'Delete an API key and its record',
      description: 'Delete an API key and its record. To keep the record, use "crm keys revoke".',
      question: (shown) => `Delete ${shown} and its record? Every program that uses it fails from now on.`,
      read: apiKeys.get,
      nameOf: ({ name }) => name,
    }),
  ],
})
