import type { ApiKey, CreatedApiKey } from '@crmkit/sdk'
import type { Output } from '../../output/output.ts'
import { printSecret } from '../../output/print-secret.ts'
import type { SavedSecret } from '../../prompts/secret-file.ts'
import { keyColumns } from './key-columns.ts'

const columnsBeside = keyColumns.filter(({ title }) => title !== 'Last used' && title !== 'Key')

export function printCreatedKey(output: Output, { created, savedIn }: SavedSecret<CreatedApiKey>): void {
  const { key, ...row } = created
  const naming = { name: 'key', title: 'Key' }
  const columns = { columns: keyColumns, columnsBeside }
  printSecret<ApiKey>(output, { created, row, secret: key, savedIn, ...naming, ...columns })
}
