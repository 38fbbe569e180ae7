import { Option } from '@commander-js/extra-typings'
import { CliError } from '../cli-error.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'

export const yesOption = () => new Option('-y, --yes', 'do not ask')

interface Confirmation {
  /** What the person is asked, without an unclean word. */
  readonly question: string
  /** "Nothing was deleted." */
  readonly refusal: string
  readonly yes: true | undefined
}

/** Ends the command unless `--yes` or a person says so. Asked before anything is sent. */
export async function assertConfirmed(
  { prompter }: Context,
  { question, refusal, yes }: Confirmation,
): Promise<void> {
  if (yes) return
  prompter.requireValues({ '--yes': undefined })
  if (await prompter.confirm(question)) return
  throw new CliError(refusal, { code: 'CANCELLED', exitCode: exitCodes.failure })
}
