import type { Command } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { exitCodes } from '../../exit-codes.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { printJson } from '../../output/print-json.ts'
import { requireBaseUrl, resolveTarget } from '../../profile/resolve-target.ts'
import { examples, runAction } from '../run-action.ts'
import type { Check } from './check.ts'
import { checkCredential } from './check-credential.ts'
import { checkServer } from './check-server.ts'
import { checkWebhooks } from './check-webhooks.ts'

interface DoctorOptions {
  readonly sendTests?: true | undefined
}

export function defineDoctor(command: Command): void {
  command
    .description(
      'Check server, version, clock, credential, permissions and webhooks, and report problems. The exit code is 1 when a check failed.',
    )
    .option('--send-tests', 'send a test event to every active webhook')
    .addHelpText('after', examples('crm doctor', 'crm doctor --json check,status'))
    .action((options, self) => {
      const version = self.parent?.version() ?? ''
      return runAction(self, (context) => examine(context, { ...options, version }))
    })
}

async function examine(
  context: Context,
  { sendTests, version }: DoctorOptions & { version: string },
): Promise<void> {
  const { output } = context
  const checks: Check[] = []
  const add = (found: readonly Check[]) => {
    checks.push(...found)
    if (!output.json) for (const check of found) output.print(lineOf(context, check))
  }
  const baseUrl = requireBaseUrl(await resolveTarget(context.flags, context.environment, context.store))
  const server = await checkServer(baseUrl, version)
  add(server.checks)
  if (server.isReachable) {
    const credential = await checkCredential(context)
    add(credential.checks)
    if (credential.client) add(await checkWebhooks(credential.client, { isSending: sendTests === true }))
  }
  if (output.json) printJson(output, checks)
  const failures = checks.filter(({ status }) => status === 'failed').length
  output.say(failures === 0 ? 'No check failed.' : `${failures} of ${checks.length} checks failed.`)
  if (failures > 0) process.exitCode = exitCodes.failure
}

const signs = { ok: '✓', warning: '!', failed: '✗', skipped: '–' } as const
const styles = { ok: 'green', warning: 'yellow', failed: 'red', skipped: 'dim' } as const

function lineOf({ output }: Context, { check, status, detail }: Check): string {
  if (!output.isTerminal) return [status, check, detail].map(cleanLine).join('\t')
  return `${output.style(styles[status], signs[status])} ${cleanLine(check)}: ${cleanLine(detail)}`
}
