import { Option } from '@commander-js/extra-typings'
import type { CreatedWebhook, CreateWebhook, UpdateWebhook, Webhook } from '@crmkit/sdk'
import type { Column, Tone } from '../output/column.ts'
import type { SecretKind } from '../output/print-secret.ts'
import { readGivenFile } from '../prompts/read-secret.ts'
import { defineNoun } from './factories/define-noun.ts'
import { deleteCommand } from './factories/delete-command.ts'
import { getCommand } from './factories/get-command.ts'
import { listCommand } from './factories/list-command.ts'
import { createSecretCommand, renewSecretCommand } from './factories/secret-commands.ts'
import { updateCommand } from './factories/update-command.ts'
import { eitherFlag, wholeNumber } from './option-values.ts'
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

const backoffOption = () =>
  new Option('--backoff <kind>', 'how the waits between retries grow').choices([
    'linear',
    'exponential',
  ] as const)

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

const createWebhook = createSecretCommand({
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
  options: (command) =>
    command
      .option('--name <name>', 'the purpose of the webhook')
      .option('--url <url>', 'the receiver: an https address')
      .addOption(eventsOption('--events <list>', 'comma separated; customer.* and all are allowed too'))
      .option(
        '--headers-file <file>',
        'headers for every delivery, one "Name: value" a line; values can be secret',
      )
      .option('--max-retries <n>', '0 to 10; default 3, which ends after 14 s', wholeNumber)
      .addOption(backoffOption()),
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
  send: ({ crm, input }) => crm.webhooks.create(input),
})

const listWebhooks = listCommand({
  description: 'List webhooks, newest first.',
  examples: ['crm webhooks list --active', 'crm webhooks list --json _id,url,isActive'],
  columns,
  options: (command) =>
    command.option('--active', 'only active webhooks').option('--inactive', 'only inactive webhooks'),
  filterOf: ({ active, inactive }) => ({ isActive: eitherFlag(active, inactive) }),
  fetchPage: ({ crm, filter }, query) => crm.webhooks.list({ ...filter, ...query }),
})

const getWebhook = getCommand({
  description: 'Show a webhook. Its signing secret is never shown again.',
  examples: ['crm webhooks get whk_01J8ZQ4W7N'],
  columns,
  fetch: ({ crm, id }) => crm.webhooks.get(id),
})

const updateWebhook = updateCommand({
  summary: 'Change, activate or deactivate a webhook',
  description:
    'Change a webhook. Fields that you do not name stay as they are; lists and headers are replaced.',
  examples: [
    'crm webhooks update whk_01J8ZQ4W7N --events customer.*,conversation.closed',
    'crm webhooks update whk_01J8ZQ4W7N --deactivate',
  ],
  columns,
  options: (command) =>
    command
      .option('--name <name>', 'the purpose of the webhook')
      .option('--url <url>', 'the receiver: an https address')
      .addOption(eventsOption('--events <list>', 'comma separated; customer.* and all are allowed too'))
      .option('--headers-file <file>', 'headers for every delivery, one "Name: value" a line')
      .addOption(new Option('--remove-headers', 'remove all headers').conflicts('headersFile'))
      .option('--max-retries <n>', '0 to 10; 3 end after 14 s, 10 after 34 minutes', wholeNumber)
      .addOption(backoffOption())
      .option('--activate', 'deliver again, including deliveries that still have retries')
      .addOption(new Option('--deactivate', 'start no further attempt').conflicts('activate')),
  inputOf: async (options): Promise<UpdateWebhook> => ({
    name: options.name,
    url: options.url,
    events: options.events && parseEvents(options.events),
    headers: options.removeHeaders ? {} : await readHeaders(options.headersFile),
    retryPolicy: retryPolicyOf(options),
    isActive: eitherFlag(options.activate, options.deactivate),
  }),
  send: ({ crm, id, input }) => crm.webhooks.update(id, input),
  done: 'Changed the webhook.',
})

const deleteWebhook = deleteCommand({
  summary: 'Delete a webhook and its delivery log',
  description:
    'Delete a webhook and its delivery log. To keep both, use "crm webhooks update ID --deactivate".',
  examples: ['crm webhooks delete whk_01J8ZQ4W7N --yes'],
  question: (shown) => `Delete ${shown} and its delivery log?`,
  nameOf: ({ crm, id }) => crm.webhooks.get(id).then(({ name }) => name),
  send: ({ crm, id }) => crm.webhooks.delete(id),
})

const rotateSecret = renewSecretCommand({
  name: 'rotate-secret',
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
  send: ({ crm, id, overlapSeconds }) => crm.webhooks.rotateSecret(id, { overlapSeconds }),
})

export const defineWebhooks = defineNoun({
  name: 'webhook',
  examples: ['crm webhooks list'],
  commands: [
    createWebhook,
    listWebhooks,
    getWebhook,
    updateWebhook,
    deleteWebhook,
    defineTestWebhook,
    defineWebhookLogs,
    defineRedeliver,
    defineRecover,
    rotateSecret,
    defineListen,
    defineTriggerWebhook,
    defineVerifyWebhook,
  ],
})
