import type { ApiKey, CreatedApiKey } from '@crmkit/sdk'
import { cleanLine } from '../../output/clean-text.ts'
import type { Column } from '../../output/column.ts'
import type { Output } from '../../output/output.ts'
import { printRecord } from '../../output/print-record.ts'
import { keyColumns } from './key-columns.ts'

type Created = ApiKey & { readonly key?: string }

const withKey: readonly Column<Created>[] = [
  ...keyColumns.filter(({ title }) => title !== 'Last used' && title !== 'Key'),
  { title: 'Key', value: (created) => created.key },
]

interface SavedKey {
  readonly created: CreatedApiKey
  readonly savedIn: string | undefined
}

/** The new key goes to one place only: the file when there is one, else stdout. */
export function printCreatedKey(output: Output, { created, savedIn }: SavedKey): void {
  const { key, ...record } = created
  if (savedIn !== undefined) {
    output.say(`The key is in ${cleanLine(savedIn)}.`)
    printRecord<Created>(output, { row: record, columns: keyColumns, quiet: record._id })
    return
  }
  output.say('The key is shown this once:')
  printRecord<Created>(output, { row: created, columns: withKey, quiet: key })
}
