import { type ExitCode, exitCodes } from './exit-codes.ts'

interface CliErrorOptions {
  readonly code: string
  readonly exitCode?: ExitCode
  /** The next step for the person, as a sentence. */
  readonly hint?: string | undefined
}

/** A failure of the command itself, not of the server. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly code: string
  readonly exitCode: ExitCode
  readonly hint: string | undefined

  constructor(message: string, options: CliErrorOptions) {
    super(message)
    this.code = options.code
    this.exitCode = options.exitCode ?? exitCodes.failure
    this.hint = options.hint
  }
}

export function usageError(message: string, hint?: string): CliError {
  return new CliError(message, { code: 'USAGE', exitCode: exitCodes.usage, hint })
}

export function credentialError(message: string, hint?: string): CliError {
  return new CliError(message, { code: 'NOT_SIGNED_IN', exitCode: exitCodes.credential, hint })
}
