import { Option } from '@commander-js/extra-typings'
import { CliError } from '../cli-error.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'

export const yesOption = () => new Option('-y, --yes', 'do not ask for confirmation')

interface Confirmation {
  /** The question; external text in it must be cleaned. */
  readonly question: string
  /** Printed after a no, such as "Nothing was deleted." */
  readonly refusal: string
  readonly yes: true | undefined
}

/** Ends the command unless `--yes` is given or the person agrees. Runs before anything is sent. */
export async function assertConfirmed(
  { prompter }: Context,
  { question, refusal, yes }: Confirmation,
): Promise<void> {
  if (yes) return
  prompter.requireValues({ '--yes': undefined })
  if (await prompter.confirm(question)) return
  throw new CliError(refusal, { code: 'CANCELLED', exitCode: exitCodes.failure })
}
