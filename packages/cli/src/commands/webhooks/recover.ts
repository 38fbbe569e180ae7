import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { RecoveredDeliveries } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/column.ts'
import { counted } from '../../output/plural.ts'
import { printRecord } from '../../output/print-record.ts'
import { startProgress } from '../../output/progress.ts'
import { openClient } from '../../profile/open-client.ts'
import { isoMoment, pastMoment } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'

interface RecoverRequest {
  readonly id: string
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly dryRun?: true | undefined
}

type Recovered = Pick<RecoveredDeliveries, 'matched' | 'created'>

const columns: readonly Column<Recovered>[] = [
  { title: 'Matched', value: (row) => row.matched },
  { title: 'Created', value: (row) => row.created },
]

export function defineRecover(webhooks: CommandUnknownOpts): void {
  webhooks
    .command('recover')
    .argument('<id>', 'the id of the webhook')
    .summary('Replay missing or permanently failed deliveries')
    .description(
      'Replay missing or permanently failed deliveries of a period. A second call is safe: a webhook gets one delivery of an event.',
    )
    .option(
      '--since <time>',
      'the start of the period: 24h for 24 hours ago, or such as 2026-11-01',
      pastMoment,
    )
    .option('--until <time>', 'the end of the period; default: now', isoMoment)
    .option('--dry-run', 'only count')
    .addHelpText(
      'after',
      examples(
        'crm webhooks recover whk_01J8ZQ4W7N --since 24h --dry-run',
        'crm webhooks recover whk_01J8ZQ4W7N --since 2026-11-01 --until 2026-11-02',
      ),
    )
    .action((id, options, self) => runAction(self, (context) => recover(context, { id, ...options })))
}

async function recover(context: Context, { id, since, until, dryRun }: RecoverRequest): Promise<void> {
  const { output, prompter } = context
  prompter.requireValues({ '--since': since })
  const from = since ?? pastMoment(await prompter.text('Since when?', { default: '24h' }))
  const client = await openClient(context)
  const progress = startProgress(output, 'event')
  const sum = { matched: 0, created: 0 }
  let cursor: string | null = null
  try {
    do {
      const body = { since: from, until, dryRun: dryRun === true, cursor }
      const page: RecoveredDeliveries = await client.call((crm) => crm.webhooks.recover(id, body))
      sum.matched += page.matched
      sum.created += page.created
      cursor = page.nextCursor
      progress.update(sum.matched)
    } while (cursor !== null)
  } finally {
    progress.end()
  }
  output.say(
    dryRun
      ? `${counted(sum.matched, 'event')} would be delivered; nothing was sent.`
      : `Planned ${counted(sum.created, 'attempt')}.`,
  )
  printRecord(output, { row: sum, columns, quiet: String(dryRun ? sum.matched : sum.created) })
}
