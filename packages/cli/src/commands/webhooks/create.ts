import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { CreatedWebhook, CreateWebhook } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { openClient } from '../../profile/open-client.ts'
import { readGivenFile } from '../../prompts/read-secret.ts'
import { savingSecret } from '../../prompts/secret-file.ts'
import { addToList, wholeNumber } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { eventChoices, parseEvents } from './event-list.ts'
import { parseHeaders } from './parse-headers.ts'
import { printCreatedSecret } from './print-created-secret.ts'

interface CreateOptions {
  readonly name?: string | undefined
  readonly url?: string | undefined
  readonly events?: readonly string[] | undefined
  readonly headersFile?: string | undefined
  readonly maxRetries?: number | undefined
  readonly backoff?: 'linear' | 'exponential' | undefined
  readonly secretFile?: string | undefined
}

export function defineCreateWebhook(webhooks: CommandUnknownOpts): void {
  webhooks
    .command('create')
    .summary('Create a webhook; its signing secret is shown once')
    .description('Create a webhook. Its signing secret is shown once; with --quiet it is alone on stdout.')
    .option('--name <name>', 'what it is for')
    .option('--url <url>', 'where events go: an https address')
    .option('--events <list>', 'comma separated; customer.* and all work too', addToList)
    .option(
      '--headers-file <file>',
      'headers for every delivery, one "Name: value" a line; values may be secret',
    )
    .option('--max-retries <n>', '0 to 10, default 3', wholeNumber)
    .addOption(
      new Option('--backoff <kind>', 'how the waits grow').choices(['linear', 'exponential'] as const),
    )
    .option('--secret-file <file>', 'write the secret to a new file, mode 0600, instead of showing it')
    .addHelpText(
      'after',
      examples(
        'crm webhooks create --name Shop --url https://shop.example.com/hook --events customer.*,message.received',
        'crm webhooks create --name Shop --url https://shop.example.com/hook --events all --secret-file hook.secret',
      ),
    )
    .action((options, self) => runAction(self, (context) => createWebhook(context, options)))
}

async function createWebhook(context: Context, options: CreateOptions): Promise<void> {
  const { prompter } = context
  const given = options.events && parseEvents(options.events)
  const headers =
    options.headersFile === undefined
      ? undefined
      : parseHeaders(await readGivenFile(options.headersFile), '--headers-file')
  prompter.requireValues({ '--name': options.name, '--url': options.url, '--events': given })
  const client = await openClient(context)
  const body: CreateWebhook = {
    name: options.name ?? (await prompter.text('What is it for?')),
    url: options.url ?? (await prompter.text('Where do events go? (https://…)')),
    events: given ?? (await prompter.choose('Which events?', eventChoices)),
    headers,
    retryPolicy: retryPolicyOf(options),
  }
  const create = () => client.call((crm) => crm.webhooks.create(body))
  const secretOf = ({ secret }: CreatedWebhook) => secret
  printCreatedSecret(
    context.output,
    await savingSecret(context, { path: options.secretFile, create, secretOf }),
  )
}

function retryPolicyOf({ maxRetries, backoff }: CreateOptions): CreateWebhook['retryPolicy'] {
  return maxRetries === undefined && backoff === undefined
    ? undefined
    : { maxRetries, backoffStrategy: backoff }
}
