import type { FinishedRequest } from './log.ts'

/** `delivered`: the receiver accepted it. `retried`: it failed, and another attempt is planned. `failed`: it was the last one. */
export type DeliveryOutcome = 'delivered' | 'retried' | 'failed'

export interface EndedDelivery {
  outcome: DeliveryOutcome
  /** From the planned time of the attempt to its begin. */
  delayMs: number
  durationMs: number
}

/**
 * The recorders of the figures that an operator watches. No call throws or waits. No argument holds an id, a name or
 * any other value of a tenant: only templates and words of a fixed list, so that the number of time series is bounded.
 */
export interface Meters {
  requestEnded(request: Pick<FinishedRequest, 'method' | 'path' | 'status' | 'ms'>): void
  /** `code` is a code of the error envelope. */
  errorReplied(code: string): void
  deliveryEnded(delivery: EndedDelivery): void
  /** Called when a job has polled for due work. */
  jobPolled(job: string, result: 'done' | 'failed'): void
  /** Called when a stream has sent an event that was committed so long ago, while it waited for news. */
  eventStreamed(delayMs: number): void
  quotaRefused(quota: string): void
  /** Called when something of a stranger is refused or made to wait; `budget` is one of `budgetNames`. */
  budgetRefused(budget: string): void
  /** Called when a mail has left for so many recipients. */
  recipientsMailed(transport: 'relay' | 'smtp', count: number): void
  /** Called when a list or a poll has left out a row that cannot be read. */
  rowLeftOut(kind: string): void
  /** Called for a callback of the telephony provider without a valid signature. */
  callbackRefused(): void
  /** Called when a request to the store of the attachments' bytes has ended; a failed one could not reach it, or was refused. */
  attachmentRequested(request: 'write' | 'read' | 'remove', result: 'done' | 'failed'): void
}

/** Records nothing. */
export const noMeters: Meters = {
  requestEnded: () => {},
  errorReplied: () => {},
  deliveryEnded: () => {},
  jobPolled: () => {},
  eventStreamed: () => {},
  quotaRefused: () => {},
  budgetRefused: () => {},
  recipientsMailed: () => {},
  rowLeftOut: () => {},
  callbackRefused: () => {},
  attachmentRequested: () => {},
}
