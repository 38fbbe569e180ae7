import { type Command, Option } from '@commander-js/extra-typings'
import type { CreatedWebhook, CreateWebhook, Webhook } from '@crmkit/sdk'
import { webhooks } from '../operations/webhooks.gen.ts'
import type { Column, Tone } from '../output/column.ts'
import type { SecretKind } from '../output/print-secret.ts'
import { readGivenFile } from '../prompts/read-secret.ts'
import { defineNoun } from './factories/define-noun.ts'
import { deleteCommand } from './factories/delete-command.ts'
import { getCommand } from './factories/get-command.ts'
import { listCommand } from './factories/list-command.ts'
import { createSecretCommand, renewSecretCommand } from './factories/secret-commands.ts'
import { updateCommand } from './factories/update-command.ts'
import { wholeNumber } from './option-values.ts'
import { eventChoices, eventsOption, parseEvents } from './webhooks/event-list.ts'
import { defineListen } from './webhooks/listen.ts'
import { defineWebhookLogs } from './webhooks/logs.ts'
import { parseHeaders } from './webhooks/parse-headers.ts'
import { defineRecover } from './webhooks/recover.ts'
import { defineRedeliver } from './webhooks/redeliver.ts'
import { defineTestWebhook } from './webhooks/test.ts'
import { defineTriggerWebhook } from './webhooks/trigger.ts'
import { defineVerifyWebhook } from './webhooks/verify.ts'

const columns: readonly Column<Webhook>[] = [
  { title: 'Id', value: (webhook) => webhook._id },
  { title: 'Name', value: (webhook) => webhook.name, isFlexible: true },
  { title: 'URL', value: (webhook) => webhook.url, isFlexible: true },
  { title: 'Active', value: (webhook) => webhook.isActive },
  {
    title: 'Health',
    value: ({ health }) => health.state,
    textForPeople: ({ health }) => healthText(health),
    tone: ({ health }) => healthTones[health.state],
    isOptional: true,
  },
  { title: 'Events', value: (webhook) => webhook.events, isFlexible: true, isOptional: true },
  {
    title: 'Retries',
    value: ({ retryPolicy }) => `${retryPolicy.maxRetries} (${retryPolicy.backoffStrategy})`,
    isDetail: true,
  },
  { title: 'Failures in a row', value: ({ health }) => health.consecutiveFailures, isDetail: true },
  { title: 'Last success', value: ({ health }) => health.lastSuccessAt, isTime: true, isDetail: true },
  { title: 'Last failure', value: ({ health }) => health.lastFailureAt, isTime: true, isDetail: true },
  { title: 'Disabled because', value: ({ health }) => health.disabledReason, isDetail: true },
  {
    title: 'Old secret until',
    value: (webhook) => webhook.previousSecretExpiresAt,
    isDeadline: true,
    isDetail: true,
  },
  { title: 'Created', value: (webhook) => webhook.createdAt, isTime: true, isOptional: true },
]

const healthTones: Readonly<Record<string, Tone>> = { failing: 'bad', disabled: 'attention' }

/** A webhook that never delivered has shown nothing yet, good or bad. */
function healthText({ state, lastSuccessAt, lastFailureAt }: Webhook['health']): string {
  return state === 'healthy' && lastSuccessAt === null && lastFailureAt === null ? 'no delivery yet' : state
}

const signingSecret: SecretKind<CreatedWebhook> = {
  field: 'secret',
  name: 'signing secret',
  title: 'Secret',
  columns,
}

const addDelivery = (command: Command) =>
  command
    .addOption(eventsOption('--events <list>', 'comma separated; customer.* and all are allowed too'))
    .option(
      '--headers-file <file>',
      'headers for every delivery, one "Name: value" a line; values can be secret',
    )
    .option('--max-retries <n>', '0 to 10; 3, the default, end after 14 s, 10 after 34 minutes', wholeNumber)
    .addOption(
      new Option('--backoff <kind>', 'how the waits between retries grow').choices([
        'linear',
        'exponential',
      ] as const),
    )

interface RetryOptions {
  readonly maxRetries?: number | undefined
  readonly backoff?: 'linear' | 'exponential' | undefined
}

function retryPolicyOf({ maxRetries, backoff }: RetryOptions): CreateWebhook['retryPolicy'] {
  if (maxRetries === undefined && backoff === undefined) return undefined
  return { maxRetries, backoffStrategy: backoff }
}

async function readHeaders(path: string | undefined): Promise<Record<string, string> | undefined> {
  return path === undefined ? undefined : parseHeaders(await readGivenFile(path), '--headers-file')
}

export const defineWebhooks = defineNoun({
  name: 'webhook',
  prefix: 'whk',
  columns,
  examples: ['crm webhooks list'],
  commands: [
    createSecretCommand({
      operation: webhooks.create,
      summary: 'Create a webhook; its signing secret is shown once',
      description: 'Create a webhook. Its signing secret is shown once; with --quiet it is alone on stdout.',
      notes:
        'The default of 3 retries ends 14 seconds after the first attempt; then the delivery has failed permanently, until\n"crm webhooks recover ID --since 24h" replays it. --max-retries 10 ends after 34 minutes: choose it for a receiver\nthat may restart.',
      examples: [
        'crm webhooks create --name Shop --url https://shop.example.com/hook --events customer.*,message.received',
        'crm webhooks create --name Shop --url https://shop.example.com/hook --events all --secret-file hook.secret',
      ],
      file: 'secret',
      secret: signingSecret,
      fields: { events: false },
      options: addDelivery,
      inputOf: async ({ name, url, events, headersFile, ...retries }) => ({
        name,
        url,
        events: events && parseEvents(events),
        headers: await readHeaders(headersFile),
        retryPolicy: retryPolicyOf(retries),
      }),
      ask: {
        name: 'What is the webhook for?',
        url: 'Which address receives the events? (https://…)',
        events: (prompter) => prompter.choose('Which events?', eventChoices),
      },
    }),
    listCommand({
      operation: webhooks.list,
      examples: ['crm webhooks list --active', 'crm webhooks list --json _id,url,isActive'],
      fields: {
        isActive: {
          pair: [
            ['active', 'only active webhooks'],
            ['inactive', 'only inactive webhooks'],
          ],
        },
      },
    }),
    getCommand({
      operation: webhooks.get,
      description: 'Show a webhook. Its signing secret is never shown again.',
    }),
    updateCommand({
      operation: webhooks.update,
      summary: 'Change, activate or deactivate a webhook',
      description:
        'Change a webhook. Fields that you do not name stay as they are; lists and headers are replaced.',
      examples: [
        'crm webhooks update whk_01J8ZQ4W7N --events customer.*,conversation.closed',
        'crm webhooks update whk_01J8ZQ4W7N --deactivate',
      ],
      fields: {
        events: false,
        isActive: {
          pair: [
            ['activate', 'deliver again, including deliveries that still have retries'],
            ['deactivate', 'start no further attempt'],
          ],
        },
      },
      options: (command) =>
        addDelivery(command).addOption(
          new Option('--remove-headers', 'remove all headers').conflicts('headersFile'),
        ),
      clear: [],
      inputOf: async ({ events, headersFile, removeHeaders, maxRetries, backoff, ...fields }) => ({
        ...fields,
        events: events && parseEvents(events),
        headers: removeHeaders ? {} : await readHeaders(headersFile),
        retryPolicy: retryPolicyOf({ maxRetries, backoff }),
      }),
    }),
    deleteCommand({
      operation: webhooks.delete,
      summary: 'Delete a webhook and its delivery log',
      description:
        'Delete a webhook and its delivery log. To keep both, use "crm webhooks update ID --deactivate".',
      question: (shown) => `Delete ${shown} and its delivery log?`,
      read: webhooks.get,
      nameOf: ({ name }) => name,
    }),
    defineTestWebhook,
    defineWebhookLogs,
    defineRedeliver,
    defineRecover,
    renewSecretCommand({
      operation: webhooks.rotateSecret,
      summary: 'Make a new signing secret; it is shown once',
      description:
        'Make a new signing secret; it is shown once. Until the overlap ends, deliveries carry the signatures of both secrets.',
      notes:
        'Without an overlap receivers with the old secret refuse deliveries immediately, so the command asks first.',
      examples: [
        'crm webhooks rotate-secret whk_01J8ZQ4W7N --overlap 2d --secret-file new.secret',
        'crm webhooks rotate-secret whk_01J8ZQ4W7N --overlap 0s --yes --quiet',
      ],
      file: 'secret',
      secret: signingSecret,
      overlap: {
        description: 'how long the old secret stays valid, up to 7d; default 24h',
        question: (id) => `End the old secret of ${id} immediately?`,
      },
    }),
    defineListen,
    defineTriggerWebhook,
    defineVerifyWebhook,
  ],
})
