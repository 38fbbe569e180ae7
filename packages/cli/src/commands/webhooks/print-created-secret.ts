import type { CreatedWebhook, Webhook } from '@crmkit/sdk'
import { cleanLine } from '../../output/clean-text.ts'
import type { Column } from '../../output/column.ts'
import type { Output } from '../../output/output.ts'
import { printRecord } from '../../output/print-record.ts'
import { webhookColumns } from './webhook-columns.ts'

type Created = Webhook & { readonly secret?: string }

const withSecret: readonly Column<Created>[] = [
  ...webhookColumns,
  { title: 'Secret', value: (created) => created.secret },
]

interface SavedWebhook {
  readonly created: CreatedWebhook
  readonly savedIn: string | undefined
}

/** The secret goes to one place only: the file when there is one, else stdout. */
export function printCreatedSecret(output: Output, { created, savedIn }: SavedWebhook): void {
  const { secret, ...record } = created
  if (savedIn !== undefined) {
    output.say(`The signing secret is in ${cleanLine(savedIn)}.`)
    printRecord<Created>(output, { row: record, columns: webhookColumns, quiet: record._id })
    return
  }
  output.say('The signing secret is shown this once:')
  printRecord<Created>(output, { row: created, columns: withSecret, quiet: secret })
}
