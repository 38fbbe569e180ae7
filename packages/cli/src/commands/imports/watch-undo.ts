import { setTimeout as delay } from 'node:timers/promises'
import type { ImportRun } from '@crmkit/sdk'
import { CliError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { startProgress } from '../../output/progress.ts'
import type { Client } from '../../profile/open-client.ts'
import { showRun } from './show-run.ts'

const pollMs = 500

/** Shows how an undo goes on until it ends, then prints its run. Throws when the undo failed. */
export async function watchUndo(
  { output }: Context,
  { call }: Client,
  { integrationId, runId }: { integrationId: string; runId: string },
): Promise<void> {
  const progress = startProgress(output, 'row')
  let run: ImportRun
  try {
    for (;;) {
      // The status of the integration would show its latest run, which may be another one.
      run = await call((crm) => crm.imports.get(integrationId, runId))
      progress.update(run.undo.removed + run.undo.restored, { label: 'Undo' })
      if (run.undo.status !== 'running') break
      await delay(pollMs)
    }
  } finally {
    progress.end()
  }
  await showRun(output, run)
  if (run.undo.status === 'failed')
    throw new CliError('The undo failed. What was removed before stays removed.', { code: 'UNDO_FAILED' })
}
