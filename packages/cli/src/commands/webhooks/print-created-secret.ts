import type { CreatedWebhook, Webhook } from '@crmkit/sdk'
import type { Output } from '../../output/output.ts'
import { printSecret } from '../../output/print-secret.ts'
import type { SavedSecret } from '../../prompts/secret-file.ts'
import { webhookColumns } from './webhook-columns.ts'

export function printCreatedSecret(output: Output, { created, savedIn }: SavedSecret<CreatedWebhook>): void {
  const { secret, ...row } = created
  const naming = { name: 'signing secret', title: 'Secret' }
  printSecret<Webhook>(output, { created, row, secret, savedIn, ...naming, columns: webhookColumns })
}
