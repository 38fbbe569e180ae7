import { appendFile } from 'node:fs/promises'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { StreamedEvent } from '@crmkit/sdk'
import { usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/column.ts'
import { milliseconds } from '../../output/format-time.ts'
import { printStreamed } from '../../output/print-streamed.ts'
import { openClient } from '../../profile/open-client.ts'
import { resolveTarget } from '../../profile/resolve-target.ts'
import { followEvents } from '../events/follow-events.ts'
import { examples, runAction } from '../run-action.ts'
import { eventsOption, parseEvents } from './event-list.ts'
import { findEvent } from './find-event.ts'
import { type Forwarded, type ForwardTarget, forwardEvent } from './forward-event.ts'
import { openListenState } from './listen-state.ts'
import { receiverUrl } from './receiver-url.ts'

interface ListenOptions {
  readonly forward?: string | undefined
  readonly printSecret?: true | undefined
  readonly events?: readonly string[] | undefined
  readonly resume?: true | undefined
  readonly replay?: string | undefined
  readonly record?: string | undefined
}

const columns: readonly Column<Forwarded>[] = [
  { title: 'Event', value: ({ event }) => event },
  { title: 'Id', value: ({ id }) => id },
  { title: 'Attempt', value: ({ attempt }) => attempt },
  { title: 'Response', value: ({ status }) => status },
  { title: 'Took', value: ({ tookMs }) => milliseconds(tookMs) },
]

export function defineListen(webhooks: CommandUnknownOpts): void {
  webhooks
    .command('listen')
    .summary('Forward events to a receiver on this machine')
    .description(
      'Post each event to a local receiver, in order, with the bytes and the signature of a real delivery, until Ctrl-C. No webhook is needed. A lost connection continues after the last event, and a receiver that is down is retried until it responds: no event is lost. The signing secret is generated once for each profile and printed.',
    )
    .option('--forward <url>', 'the receiver, such as http://localhost:3000/hook or 3000/hook', receiverUrl)
    .option('--print-secret', 'print only the signing secret, and forward nothing')
    .addOption(eventsOption('--events <events>', 'only these types, such as customer.created,message.*'))
    .option('--resume', 'start after the last event that this profile forwarded; default: now')
    .option('--replay <event>', 'forward only this event again')
    .option('--record <file>', 'append each request and its response to this file, one JSON object a line')
    .addHelpText(
      'after',
      examples(
        'crm webhooks listen --forward http://localhost:3000/hook',
        'crm webhooks listen --forward http://localhost:3000/hook --events customer.* --resume',
        'crm webhooks listen --forward http://localhost:3000/hook --replay evt_01J8ZQ4W7N',
        'crm webhooks listen --print-secret',
      ),
    )
    .action((options, self) =>
      runAction(self, (context) => listen(context, options, self.parent?.parent?.version() ?? '')),
    )
}

async function listen(context: Context, options: ListenOptions, version: string): Promise<void> {
  const { output } = context
  const { forward: url, record, replay } = options
  if (options.printSecret) return printSecret(context)
  if (url === undefined) throw usageError("required option '--forward <url>' not specified")
  const types = options.events && parseEvents(options.events)
  const client = await openClient(context)
  const state = await openListenState(context, client.target)
  const target: ForwardTarget = { url, secret: state.secret, userAgent: `crmkit/${version}`, output }
  output.say(`Signing secret of this profile: ${state.secret}`)
  const forward = async (event: StreamedEvent): Promise<Forwarded> => {
    const { forwarded, request } = await forwardEvent(event, target)
    // The file contains customer data.
    if (record) await appendFile(record, `${JSON.stringify({ ...request, ...forwarded })}\n`, { mode: 0o600 })
    printStreamed(output, { row: forwarded, columns, quiet: forwarded.id })
    return forwarded
  }
  if (replay !== undefined) {
    await forward(await findEvent(client, replay))
    return
  }
  const after = options.resume ? state.position : undefined
  output.say(`Forwarding events to ${url}; Ctrl-C stops the command.`)
  await followEvents(context, client, {
    query: { after, types },
    onEvent: async (event) => state.moveTo((await forward(event)).position),
  })
}

/** Prints the secret alone, for `export CRM_WEBHOOK_SECRET=$(…)`; it needs no server. */
async function printSecret(context: Context): Promise<void> {
  const { flags, environment, store, output } = context
  const { secret } = await openListenState(context, await resolveTarget(flags, environment, store))
  output.print(secret)
}
