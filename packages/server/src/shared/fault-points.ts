import { channel } from 'node:diagnostics_channel'

/**
 * Moments at which a crash would be most awkward, in the order of a change's life. Each is passed by the code
 * that it names; nobody listens in production. The fault tests kill the process there: `test/faults/`.
 */
export const faultPoints = {
  'during-migration': 'inside the step that brings the schema up to date',
  'before-commit': 'a request has decided what to change; nothing is stored',
  'during-group-commit': 'inside a transaction, after one of its changes with its events and deliveries',
  'before-durable': 'a transaction holds all of its changes and is not committed',
  'after-durable': 'a transaction is committed; nobody was told',
  'after-commit-before-wake': 'a change is stored; due work was not woken',
  'after-commit-before-answer': 'a change is stored; the client was not answered',
  'after-claim': 'attempts are claimed; none has begun',
  'before-send': 'an attempt is about to be sent',
  'after-send-before-result': 'the receiver has answered; the result is only in memory',
  'before-result-commit': 'a group of results is about to be written',
  'during-result-commit': 'inside a transaction, after one result with the retry that follows it',
  'after-result-before-next-wake': 'results are stored; their retries were not announced',
  'before-gone': 'a receiver answered 410; its webhook is still active',
  'during-wake-snoozed': 'a snooze is over; the conversation is not open yet',
  'during-erasure': 'inside a transaction, after a page of what belongs to an erased subject',
  'between-erasure-pages': 'a page of an erasure is stored; the next one has not begun',
  'during-retention': 'between two kinds of rows that have outlived their keep',
  'during-recover': 'inside a transaction, after one of the deliveries that are made again',
  'during-shutdown': 'background work has ended; the storage is still open',
} as const
export type FaultPoint = keyof typeof faultPoints

export const faultPointChannel = 'crmkit:fault-point'
const passages = channel(faultPointChannel)

/** Costs under a nanosecond as long as nobody listens. */
export function passFaultPoint(point: FaultPoint): void {
  if (passages.hasSubscribers) passages.publish(point)
}
