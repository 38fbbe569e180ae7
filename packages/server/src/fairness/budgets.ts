import { Failure } from '@crmkit/core'
import type { Meters } from '../ports/meters.ts'

/**
 * Budgets of strangers. The name of each is the one of `crm_refused_total` and, where the operator may
 * change it for a tenant, of `tenants set-limit`. `docs/reliability.md` has the table.
 */
export const budgetNames = [
  'inboundMailBytes',
  'inboundMailBytesPerDay',
  'mailsPerSender',
  'diskFree',
  'waitingBodies',
  'smtpConnections',
  'parserTime',
  'visitorFileBytes',
  'visitorTextBytesPerDay',
  'importFileBytes',
] as const
export type BudgetName = (typeof budgetNames)[number]

export function isBudget(name: string): name is BudgetName {
  return (budgetNames as readonly string[]).includes(name)
}

const dayMs = 24 * 60 * 60_000

/** A stranger has used up a budget. Each door responds in its own way, and none loses what was sent. */
export class BudgetSpent extends Error {
  readonly budget: BudgetName
  /** After so long another try makes sense. */
  readonly retrySeconds: number

  constructor(budget: BudgetName, { message, retrySeconds }: { message: string; retrySeconds: number }) {
    super(message)
    this.budget = budget
    this.retrySeconds = retrySeconds
  }
}

/** Counts that a budget was spent, and returns the error for its door. */
export function refuse(
  meters: Pick<Meters, 'budgetRefused'>,
  budget: BudgetName,
  reason: { message: string; retrySeconds: number },
): BudgetSpent {
  meters.budgetRefused(budget)
  return new BudgetSpent(budget, reason)
}

/** Returns the error of a door that speaks HTTP: the sender tries again. */
export function unavailable({ message, retrySeconds }: BudgetSpent): Failure {
  const headers = { 'Retry-After': String(retrySeconds) }
  return new Failure('SERVICE_UNAVAILABLE', message, { headers })
}

/** Returns the seconds until 00:00 UTC. */
export function secondsOfDayLeft(nowMs: number): number {
  return Math.ceil((dayMs - (nowMs % dayMs)) / 1000)
}
