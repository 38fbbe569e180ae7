import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { LiveEvent } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { printStreamed } from '../../output/print-streamed.ts'
import { openClient } from '../../profile/open-client.ts'
import { examples, runAction } from '../run-action.ts'
import { eventsOption, parseEvents } from '../webhooks/event-list.ts'
import { eventColumns, type TailedEvent } from './event-columns.ts'
import { followEvents } from './follow-events.ts'

interface TailOptions {
  readonly types?: readonly string[] | undefined
  readonly after?: string | undefined
  readonly live?: boolean | undefined
}

/** `--types` names events of the log alone: the live ones all come. */
const liveTypes = [
  'counts.changed',
  'presence.changed',
  'typing',
  'draft.updated',
  'draft.deleted',
  'conversation.read',
  'customer.notes',
] as const satisfies readonly LiveEvent['event'][]

export function defineTail(events: CommandUnknownOpts): void {
  events
    .command('tail')
    .summary('Print events as they happen')
    .description(
      'Print events as they happen, until Ctrl-C. A lost connection is opened again, and no event is lost. With --json each line is one event with its position for --after.',
    )
    .addOption(eventsOption('--types <types>', 'only these types, such as customer.created,message.*'))
    .option('--after <position>', 'start after this position, or at "earliest", 30 days ago; default: now')
    .option('--live', 'also live events: who is where, who types, counts; needs a session')
    .addHelpText(
      'after',
      examples(
        'crm events tail',
        'crm events tail --types customer.*,message.received --json',
        'crm events tail --after earliest',
        'crm events tail --live',
      ),
    )
    .action((options, self) => runAction(self, (context) => tail(context, options)))
}

async function tail(context: Context, { types, after, live }: TailOptions): Promise<void> {
  const chosen = types && parseEvents(types)
  const query = { after, live, types: chosen && (live ? [...chosen, ...liveTypes] : chosen) }
  const client = await openClient(context, live ? 'session' : 'any')
  context.output.say('Following the events; Ctrl-C stops the command.')
  await followEvents(context, client, {
    query,
    onEvent: async ({ body, position }) => {
      const row: TailedEvent = { ...JSON.parse(body), position }
      printStreamed(context.output, { row, columns: eventColumns, quiet: row.id ?? row.event })
    },
    onLive: (event) =>
      printStreamed(context.output, { row: event, columns: eventColumns, quiet: event.event }),
  })
}
