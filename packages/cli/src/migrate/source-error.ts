import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'

/** The source refused one request in a way after which a reader can go on: 403, 404, 410 and the like. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const goOn = 'Run the same command again: it goes on where it ended.'

export function credentialRefused(product: string, detail: string): CliError {
  return new CliError(`${product} refused the credential: ${detail}`, {
    code: 'SOURCE_CREDENTIAL',
    exitCode: exitCodes.credential,
    hint: 'The token is asked for, or comes from CRM_MIGRATE_TOKEN or CRM_MIGRATE_TOKEN_FILE.',
  })
}

export function sourceFailed(message: string, hint: string = goOn): CliError {
  return new CliError(message, { code: 'SOURCE_FAILED', hint })
}

export function sourceBusy(product: string): CliError {
  return new CliError(`${product} asks for more than an hour of waiting.`, {
    code: 'SOURCE_RATE_LIMITED',
    exitCode: exitCodes.rateLimited,
    hint: goOn,
  })
}
