import type { Log } from '../../ports/log.ts'
import type { ImportContext } from '../plan/import-context.ts'
import { PagePlan } from '../plan/page-plan.ts'
import { readerOf, WorkingSet } from '../plan/working-set.ts'
import { openFigures } from './balance.ts'
import type { RunWriter } from './run-writer.ts'

/** Reports rows or cells of a file that are in no figure: a fault of the program, which no run may hide. */
export async function reportOpenBalance(
  { log }: { log: Log },
  { context, writer }: { context: ImportContext; writer: RunWriter },
): Promise<void> {
  for (const file of writer.run.balance ?? []) {
    const open = openFigures(file)
    if (open === null) continue
    const plan = new PagePlan(context, new WorkingSet(readerOf(context.store)))
    const { module } = file
    const message = `the balance of the file does not close: ${open}`
    plan.issue({ module, id: null, row: null }, { severity: 'error', code: 'BALANCE_OPEN', message })
    await writer.commit(plan, (run) => run)
    log.error({ runId: writer.run._id, module, open }, 'The balance of an import does not close')
  }
}
