import type { ApiKey, CreatedApiKey } from '@crmkit/sdk'
import type { Column } from '../../output/column.ts'
import type { Output } from '../../output/output.ts'
import { printRecord } from '../../output/print-record.ts'
import { keyColumns } from './key-columns.ts'

type Created = ApiKey & { readonly key?: string }

const withKey: readonly Column<Created>[] = [
  ...keyColumns.filter(({ title }) => title !== 'Last used' && title !== 'Key'),
  { title: 'Key', value: (created) => created.key },
]

/** The new key goes to one place only: the file when there is one, else stdout. */
export function printCreatedKey(output: Output, created: CreatedApiKey, keyFile: string | undefined): void {
  const { key, ...record } = created
  if (keyFile !== undefined) {
    output.say(`The key is in ${keyFile}.`)
    printRecord<Created>(output, { row: record, columns: keyColumns, quiet: record._id })
    return
  }
  output.say('The key is shown this once:')
  printRecord<Created>(output, { row: created, columns: withKey, quiet: key })
}
