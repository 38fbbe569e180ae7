import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { TestedDelivery } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { exitCodes } from '../../exit-codes.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { milliseconds } from '../../output/format-time.ts'
import type { Output } from '../../output/output.ts'
import { printJson } from '../../output/print-json.ts'
import { openClient } from '../../profile/open-client.ts'
import { examples, runAction } from '../run-action.ts'
import { requestLines } from './request-lines.ts'

export function defineTestWebhook(webhooks: CommandUnknownOpts): void {
  webhooks
    .command('test')
    .argument('<id>', 'the id of the webhook')
    .summary('Send one test event now and show the attempt')
    .description(
      'Send one test event now and show the request and the result. The exit code is 1 when the delivery failed.',
    )
    .addHelpText(
      'after',
      examples('crm webhooks test whk_01J8ZQ4W7N', 'crm webhooks test whk_01J8ZQ4W7N --json'),
    )
    .action((id, _, self) => runAction(self, (context) => testWebhook(context, id)))
}

async function testWebhook(context: Context, id: string): Promise<void> {
  const { output } = context
  const client = await openClient(context)
  const tested = await client.call((crm) => crm.webhooks.test(id))
  if (output.json) printJson(output, tested)
  else if (output.isQuiet) output.print(cleanLine(tested.status))
  else output.print(attemptText(output, tested))
  // Not an error of this command, so the attempt is printed as usual.
  if (tested.status !== 'success') process.exitCode = exitCodes.failure
}

/** The request and its result; the same text in a pipe, because it is not a table. */
function attemptText(output: Output, tested: TestedDelivery): string {
  const lines = requestLines(tested.request)
  return [output.style('bold', lines[0] ?? ''), ...lines.slice(1), '', ...resultLines(output, tested)].join(
    '\n',
  )
}

function resultLines(output: Output, tested: TestedDelivery): string[] {
  const isSuccess = tested.status === 'success'
  const response = tested.statusCode === null ? 'no response' : `status ${tested.statusCode}`
  const address = tested.remoteAddress === null ? '' : ` from ${tested.remoteAddress}`
  const took = milliseconds(tested.responseTime)
  const summary = cleanLine(`${tested.status}: ${response}${address}${took === null ? '' : ` in ${took}`}`)
  const lines = [output.style(isSuccess ? 'green' : 'red', summary)]
  if (tested.error !== null)
    lines.push(cleanLine(`Error: ${tested.error}${tested.errorCode ? ` (${tested.errorCode})` : ''}`))
  if (tested.timings !== null) lines.push(`Timings: ${timingsText(tested.timings)}`)
  return lines
}

/** Each time is measured from the start of the attempt. */
function timingsText({
  dns,
  connect,
  tls,
  firstByte,
  total,
}: NonNullable<TestedDelivery['timings']>): string {
  const points = { dns, connect, tls, 'first byte': firstByte, total }
  return Object.entries(points)
    .flatMap(([name, value]) => (value === null ? [] : [`${name} ${milliseconds(value)}`]))
    .join(', ')
}
