/** The result of one check of the doctor. */
export interface Check {
  readonly check: string
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped'
  readonly detail: string
}

export const ok = (check: string, detail: string): Check => ({ check, status: 'ok', detail })
export const warning = (check: string, detail: string): Check => ({ check, status: 'warning', detail })
export const failed = (check: string, detail: string): Check => ({ check, status: 'failed', detail })
export const skipped = (check: string, detail: string): Check => ({ check, status: 'skipped', detail })

export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : undefined
  return reason && !error.message.includes(reason) ? `${error.message} (${reason})` : error.message
}
