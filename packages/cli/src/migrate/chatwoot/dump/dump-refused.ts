import { CliError } from '../../../cli-error.ts'
import { exitCodes } from '../../../exit-codes.ts'

export function dumpRefused(reason: string): CliError {
  return new CliError(`The dump cannot be read: ${reason}.`, {
    code: 'DUMP_REFUSED',
    exitCode: exitCodes.usage,
  })
}
