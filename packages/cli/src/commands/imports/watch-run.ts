import { setTimeout as delay } from 'node:timers/promises'
import type { ImportRun, ImportStatus } from '@crmkit/sdk'
import { CliError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { Client } from '../../profile/open-client.ts'
import { startModuleProgress } from './module-progress.ts'
import { showRun } from './show-run.ts'

const pollMs = 500
const activeStatuses = ['queued', 'running', 'paused']

function isActive({ run, syncStatus }: ImportStatus): boolean {
  return run !== null && (activeStatuses.includes(run.status) || syncStatus === 'running')
}

/** Draws the progress until nothing runs, then prints the run. Throws when the run failed or was cancelled. */
export async function watchRun({ output }: Context, { call }: Client, integrationId: string): Promise<void> {
  const progress = startModuleProgress(output)
  let status: ImportStatus
  try {
    for (;;) {
      status = await call((crm) => crm.imports.status(integrationId))
      progress.update(status)
      if (!isActive(status)) break
      await delay(pollMs)
    }
  } finally {
    progress.end()
  }
  if (status.run === null) {
    output.say('There was no import yet.')
    return
  }
  await showRun(output, status.run)
  assertCompleted(status.run)
}

function assertCompleted({ status, error }: ImportRun): void {
  if (status === 'failed') {
    throw new CliError(cleanLine(error?.message ?? 'The import failed'), {
      code: cleanLine(error?.code ?? 'IMPORT_FAILED'),
      hint: 'crm imports retry continues it where it ended.',
    })
  }
  if (status === 'cancelled') throw new CliError('The import was cancelled.', { code: 'CANCELLED' })
}
