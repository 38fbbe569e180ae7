import { randomInt } from 'node:crypto'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { exitCodes } from '../../exit-codes.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { milliseconds } from '../../output/format-time.ts'
import { printJson } from '../../output/print-json.ts'
import { resolveTarget } from '../../profile/resolve-target.ts'
import { readSecretFile } from '../../prompts/read-secret.ts'
import { examples, runAction } from '../run-action.ts'
import { type EventName, parseEvent } from './event-list.ts'
import { type ForwardedRequest, sendOnce } from './forward-event.ts'
import { openListenState } from './listen-state.ts'
import { receiverUrl } from './receiver-url.ts'

interface TriggerOptions {
  readonly forward: string
  readonly secretFile?: string | undefined
}

export function defineTriggerWebhook(webhooks: CommandUnknownOpts): void {
  webhooks
    .command('trigger')
    .argument('<event>', 'the type, such as customer.created')
    .summary('Send a signed sample of a type to a receiver on this machine')
    .description(
      'Send one sample of a type of event to a receiver, signed as a delivery, and show its body and the response. Nothing on the server changes, and no server is needed. The exit code is 1 when the receiver does not accept it.',
    )
    .requiredOption(
      '--forward <url>',
      'the receiver, such as http://localhost:3000/hook or 3000/hook',
      receiverUrl,
    )
    .option('--secret-file <file>', 'the signing secret; default: the one of "crm webhooks listen"')
    .addHelpText(
      'after',
      examples(
        'crm webhooks trigger customer.created --forward http://localhost:3000/hook',
        'crm webhooks trigger message.received --forward 3000/hook --secret-file shop.secret',
      ),
    )
    .action((event, options, self) =>
      runAction(self, (context) => trigger(context, { ...options, event, version: versionOf(self) })),
    )
}

function versionOf(command: CommandUnknownOpts): string {
  return command.parent?.parent?.version() ?? ''
}

interface TriggerRequest extends TriggerOptions {
  readonly event: string
  readonly version: string
}

async function trigger(context: Context, request: TriggerRequest): Promise<void> {
  const { output } = context
  const { forward: url, version } = request
  const event = await makeSample(parseEvent(request.event))
  const secret = await secretOf(context, request)
  const delivery = { id: event.id, type: event.event, body: JSON.stringify(event) }
  const startedAt = performance.now()
  const target = { url, secret, userAgent: `crmkit/${version}`, attempt: 1 }
  const { request: sent, result } = await sendOnce(delivery, target)
  const tookMs = performance.now() - startedAt
  const isAccepted = typeof result === 'number' && result >= 200 && result < 300
  if (output.json) printJson(output, { ...sent, status: result, tookMs })
  else if (output.isQuiet) output.print(event.id)
  else output.print(textOf(sent, { url, result, tookMs, isAccepted }, context))
  // Not an error of this command, so the attempt is printed as usual.
  if (!isAccepted) process.exitCode = exitCodes.failure
}

const idLetters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A sample with an id of its own: a receiver that skips events it has handled must not skip the second sample. */
async function makeSample(type: EventName) {
  // Loaded here because the samples are large.
  const { makeEvent } = await import('@crmkit/sdk/testing')
  const letters = Array.from({ length: 26 }, () => idLetters[randomInt(idLetters.length)])
  return { ...makeEvent(type), id: `evt_${letters.join('')}`, timestamp: new Date().toISOString() }
}

async function secretOf(context: Context, { secretFile }: TriggerOptions): Promise<string> {
  if (secretFile !== undefined) return readSecretFile(secretFile, '--secret-file')
  const { flags, environment, store, output } = context
  const { secret } = await openListenState(context, await resolveTarget(flags, environment, store))
  output.say(`Signing secret of this profile: ${secret}`)
  return secret
}

interface TriggerResult {
  readonly url: string
  readonly result: number | string
  readonly tookMs: number
  readonly isAccepted: boolean
}

/** The request with a readable body, then the result; the same text in a pipe, because it is not a table. */
function textOf(
  { headers, body }: ForwardedRequest,
  { url, result, tookMs, isAccepted }: TriggerResult,
  { output }: Context,
): string {
  const lines = Object.entries(headers).map(([name, value]) => cleanLine(`${name}: ${value}`))
  const response =
    typeof result === 'number' ? `status ${result} in ${milliseconds(tookMs)}` : cleanLine(result)
  const summary = `${isAccepted ? 'success' : 'failed'}: ${response}`
  return [
    output.style('bold', `POST ${url}`),
    ...lines,
    '',
    JSON.stringify(JSON.parse(body), null, 2),
    '',
    output.style(isAccepted ? 'green' : 'red', summary),
  ].join('\n')
}
