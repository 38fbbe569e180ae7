import { channel } from 'node:diagnostics_channel'

/**
 * Moments at which a crash would do the most harm, in the order of a change's life. The code of each passes it; in
 * production nothing listens. The fault tests in `test/faults/` kill the process there.
 */
export const faultPoints = {
  'during-migration': 'inside the migration of the schema',
  'before-commit': 'a request has decided what to change; nothing is stored',
  'during-group-commit': 'inside a transaction, after one of its changes with its events and deliveries',
  'before-durable': 'a transaction holds all of its changes and is not committed',
  'after-durable': 'a transaction is committed; its caller does not know it yet',
  'after-commit-before-wake': 'a change is stored; no job was woken',
  'after-commit-before-answer': 'a change is stored; the client has no response yet',
  'after-claim': 'attempts are claimed; none has begun',
  'before-send': 'an attempt is about to be sent',
  'after-send-before-result': 'the receiver has responded; the result is only in memory',
  'before-result-commit': 'a group of results is about to be written',
  'during-result-commit': 'inside a transaction, after a result and before the end of the others',
  'after-result-before-next-wake': 'results are stored; their retries were not announced',
  'before-gone': 'a receiver responded with 410; its webhook is still active',
  'during-wake-snoozed': 'a snooze is over; the conversation is not open yet',
  'before-due-draft': 'the time of a draft has come; its message is not stored yet',
  'after-due-draft': 'the message of a draft is stored; the background job does not know it yet',
  'during-erasure': 'inside a transaction, after a page of children of an erased subject',
  'between-erasure-pages': 'a page of an erasure is stored; the next one has not begun',
  'between-upgrade-pages': 'a page of rows has its new form; the next one has not',
  'between-merge-pages': 'a page of rows of a merged customer has its owner; the next one has not',
  'before-figures': 'a page of changed conversations is read; the figures do not hold it yet',
  'during-retention': 'between two kinds of rows whose retention period is over',
  'between-retained-rows': 'a row that a tenant keeps no longer is erased; the next one is not',
  'after-ledger-line': 'an erasure is in the ledger; the database does not know that yet',
  'between-ledger-lines': 'an erasure of the ledger is applied to data of before; the next one is not',
  'during-tenant-deletion': 'a page of the rows of a tenant is deleted; the next one is not',
  'during-recover': 'inside a transaction, after one of the deliveries that are made again',
  'mail-bytes-before-row': 'the bytes of a mail are stored; no mail names them yet',
  'mail-stored-before-answer': 'a mail is stored; its door has not acknowledged it',
  'mail-file-before-adoption': 'the process that reads mails has written a file; the store has not taken it',
  'mail-read-before-commit': 'a mail was read, and its files are stored; the message is not',
  'mail-body-before-response': 'a server has the last byte of a mail of ours, and has not responded',
  'during-shutdown': 'the background jobs have ended; the storage is still open',
} as const
export type FaultPoint = keyof typeof faultPoints

export const faultPointChannel = 'crmkit:fault-point'
const passages = channel(faultPointChannel)

/** Reports that this point was reached. Costs under a nanosecond while nothing listens. */
export function passFaultPoint(point: FaultPoint): void {
  if (passages.hasSubscribers) passages.publish(point)
}
