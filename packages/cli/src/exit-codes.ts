/** The exit codes of the process; scripts depend on these numbers. */
export const exitCodes = {
  failure: 1,
  usage: 2,
  notFound: 3,
  credential: 4,
  conflictOrValidation: 5,
  rateLimited: 6,
  interrupted: 130,
  terminated: 143,
} as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

const byStatus: Readonly<Record<number, ExitCode>> = {
  400: exitCodes.conflictOrValidation,
  401: exitCodes.credential,
  403: exitCodes.credential,
  404: exitCodes.notFound,
  409: exitCodes.conflictOrValidation,
  410: exitCodes.notFound,
  413: exitCodes.conflictOrValidation,
  415: exitCodes.conflictOrValidation,
  422: exitCodes.conflictOrValidation,
  429: exitCodes.rateLimited,
}

export function exitCodeOfStatus(status: number): ExitCode {
  return byStatus[status] ?? exitCodes.failure
}
