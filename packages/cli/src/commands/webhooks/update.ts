import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { UpdateWebhook } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { readGivenFile } from '../../prompts/read-secret.ts'
import { assertChange } from '../assert-change.ts'
import { addToList, eitherFlag, wholeNumber } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { parseEvents } from './event-list.ts'
import { parseHeaders } from './parse-headers.ts'
import { webhookColumns } from './webhook-columns.ts'

interface UpdateOptions {
  readonly name?: string | undefined
  readonly url?: string | undefined
  readonly events?: readonly string[] | undefined
  readonly headersFile?: string | undefined
  readonly removeHeaders?: true | undefined
  readonly maxRetries?: number | undefined
  readonly backoff?: 'linear' | 'exponential' | undefined
  readonly activate?: true | undefined
  readonly deactivate?: true | undefined
}

export function defineUpdateWebhook(webhooks: CommandUnknownOpts): void {
  webhooks
    .command('update')
    .argument('<id>', 'the id of the webhook')
    .summary('Change a webhook, or switch it on or off')
    .description('Change a webhook. What is not named stays; lists and headers are replaced.')
    .option('--name <name>', 'what it is for')
    .option('--url <url>', 'where events go: an https address')
    .option('--events <list>', 'comma separated; customer.* and all work too', addToList)
    .option('--headers-file <file>', 'headers for every delivery, one "Name: value" a line')
    .addOption(new Option('--remove-headers', 'no headers of its own').conflicts('headersFile'))
    .option('--max-retries <n>', '0 to 10', wholeNumber)
    .addOption(
      new Option('--backoff <kind>', 'how the waits grow').choices(['linear', 'exponential'] as const),
    )
    .option('--activate', 'deliver again, also what is still within its retries')
    .addOption(new Option('--deactivate', 'start no further attempt').conflicts('activate'))
    .addHelpText(
      'after',
      examples(
        'crm webhooks update whk_01J8ZQ4W7N --events customer.*,conversation.closed',
        'crm webhooks update whk_01J8ZQ4W7N --deactivate',
      ),
    )
    .action((id, options, self) => runAction(self, (context) => updateWebhook(context, id, options)))
}

async function updateWebhook(context: Context, id: string, options: UpdateOptions): Promise<void> {
  const { name, url, events, headersFile, removeHeaders, maxRetries, backoff, activate, deactivate } = options
  const headers =
    headersFile === undefined ? undefined : parseHeaders(await readGivenFile(headersFile), '--headers-file')
  const body: UpdateWebhook = {
    name,
    url,
    events: events && parseEvents(events),
    headers: removeHeaders ? {} : headers,
    retryPolicy:
      maxRetries === undefined && backoff === undefined
        ? undefined
        : { maxRetries, backoffStrategy: backoff },
    isActive: eitherFlag(activate, deactivate),
  }
  assertChange({ ...body })
  const client = await openClient(context)
  const webhook = await client.call((crm) => crm.webhooks.update(id, body))
  context.output.say('Changed the webhook.')
  printRecord(context.output, { row: webhook, columns: webhookColumns, quiet: webhook._id })
}
