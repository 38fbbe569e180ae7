import type { ImportRun } from '@crmkit/sdk'
import { cleanLine } from '../../output/clean-text.ts'
import type { Output } from '../../output/output.ts'
import { counted } from '../../output/plural.ts'
import { printList } from '../../output/print-list.ts'
import { printRecord } from '../../output/print-record.ts'
import { balanceColumns, dryRunColumns, moduleColumns, moduleRows, runColumns } from './run-columns.ts'

/** Prints a run: on a terminal one line about it above a table of its modules, else as any record below a line about its undo. */
export async function showRun(output: Output, run: ImportRun): Promise<void> {
  if (output.json || output.isQuiet || !output.isTerminal) {
    if (run.undo.status !== 'none') output.say(lineOf(run))
    printRecord(output, { row: run, columns: runColumns, quiet: run._id })
    return
  }
  output.say(lineOf(run))
  const rows = moduleRows(run)
  if (rows.length > 0) await printList(output, { rows, columns: run.dryRun ? dryRunColumns : moduleColumns })
  // An earlier server sends none.
  for (const file of run.balance?.files ?? []) {
    output.say(`\n${lineOfFile(file)}`)
    if (file.columns) await printList(output, { rows: file.columns, columns: balanceColumns })
  }
  if (run.balance?.closes === false && isComplete(run))
    output.say('The balance does not close: values may be missing. Report this import to its operator.')
  const { status, kept } = run.undo
  if (status !== 'none' && kept > 0)
    output.say(
      '"crm imports errors --severity kept" lists the rows that stay, because they were changed since.',
    )
}

const isComplete = ({ status }: ImportRun) => status === 'completed' || status === 'completed_with_errors'

type BalancedFile = NonNullable<ImportRun['balance']>['files'][number]

/** Says what became of the rows of a file, without the figures that are 0. */
function lineOfFile({ filename, rows }: BalancedFile): string {
  const { total, ...figures } = rows
  const parts = Object.entries(figures).filter(([, count]) => count > 0)
  const sum = parts.map(([figure, count]) => `${count} ${figure}`).join(' + ')
  return `${cleanLine(filename)}: ${counted(total, 'row')}${sum === '' ? '' : ` = ${sum}`}`
}

function lineOf(run: ImportRun): string {
  const { status, dryRun, error, resumeAt, undo, errorCount, warningCount } = run
  const name = `${dryRun ? 'Dry run' : 'Import'} ${cleanLine(run._id)}`
  const issues = `${counted(errorCount, 'error')}, ${counted(warningCount, 'warning')}`
  if (undo.status !== 'none') {
    const { removed, restored, kept } = undo
    return `${name}: undo ${undo.status}, ${removed} removed, ${restored} restored, ${kept} kept.`
  }
  if (status === 'failed') return `${name} failed: ${cleanLine(error?.message ?? 'no reason is known')}`
  if (status === 'paused')
    return `${name} waits for a limit of the source until ${cleanLine(resumeAt ?? '')}.`
  const nothing = dryRun ? ' Nothing was written.' : ''
  return `${name}: ${status.replaceAll('_', ' ')}, ${issues}.${nothing}`
}
