import type { MailAttempt, MessageRecipient } from '@crmkit/core'
import type { MailResult } from '../../ports/mail-sender.ts'
import { isoTime } from '../../shared/clock.ts'
import type { MailSend } from '../../storage/kinds/mail-sends.ts'
import { probeEveryMs, saysNothing } from './away-servers.ts'

const minuteMs = 60_000
/** After a temporary refusal; later every hour. */
const retriesMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, 60 * minuteMs]
const attemptsMax = 60

/** Returns the recipients after an attempt. */
export function recipientsAfter(
  before: readonly MessageRecipient[],
  { recipients }: Pick<MailResult, 'recipients'>,
): MessageRecipient[] {
  const byAddress = new Map(recipients.map((result) => [result.address, result]))
  return before.map((recipient) => {
    const result = recipient.status === 'queued' ? byAddress.get(recipient.address) : undefined
    if (result === undefined) return recipient
    const status = result.outcome === 'sent' || result.outcome === 'failed' ? result.outcome : 'queued'
    return { ...recipient, status, code: result.code, text: result.text }
  })
}

/** Returns when the next attempt is due, ms since 1970; null when none follows. */
export function nextAttemptMs(
  send: Pick<MailSend, 'tries' | 'giveUpAt' | 'sendAt'>,
  { outcome }: Pick<MailResult, 'outcome'>,
  nowMs: number,
): number | null {
  const isRefused = outcome === 'refused_sign_in'
  const waitMs = isRefused
    ? minuteMs
    : outcome === 'unreachable'
      ? probeEveryMs
      : (retriesMs[send.tries] ?? retriesMs.at(-1) ?? minuteMs)
  const nextMs = nowMs + waitMs
  return isOverAt(send, { isRefused, atMs: nextMs }) ? null : nextMs
}

const dayMs = 24 * 60 * minuteMs
/** A mail is tried for so long. */
const triedForMs = 2 * dayMs
/** While the server refuses the sign-in a mail waits seven days in all instead of two: a person has to mend it. */
const heldForMs = 7 * dayMs

/** Returns whether the time for attempts has ended at a moment (ms since 1970). */
export function isOverAt(
  { giveUpAt, sendAt }: Pick<MailSend, 'giveUpAt' | 'sendAt'>,
  { isRefused, atMs }: { isRefused: boolean; atMs: number },
): boolean {
  const endMs = Date.parse(giveUpAt)
  return atMs > (isRefused ? Math.max(endMs, Date.parse(sendAt) + heldForMs) : endMs)
}

/**
 * Returns the end of the attempts of a mail that can be tried again. While the sign-in was refused its time did not run: a mail
 * whose end has passed meanwhile is tried for two days from now on, within its seven days. A system mail ends with its token.
 */
export function giveUpAtAfterWait(
  { giveUpAt, sendAt, systemMail }: Pick<MailSend, 'giveUpAt' | 'sendAt' | 'systemMail'>,
  nowMs: number,
): string {
  if (systemMail !== undefined || nowMs <= Date.parse(giveUpAt)) return giveUpAt
  return isoTime(Math.max(nowMs, Math.min(nowMs + triedForMs, Date.parse(sendAt) + heldForMs)))
}

/** Every recipient that waits has failed: the time for retries is over. */
export function givenUp(recipients: readonly MessageRecipient[], response: string): MessageRecipient[] {
  return recipients.map((recipient) =>
    recipient.status === 'queued'
      ? { ...recipient, status: 'failed', text: recipient.text ?? response }
      : recipient,
  )
}

/**
 * Returns the log with the attempt. Of attempts in a row that could not reach the server for the same reason the first and
 * the latest stay, and the oldest entries of a very long log are dropped.
 */
export function loggedAttempts(
  before: readonly MailAttempt[],
  { result, to, at }: { result: MailResult; to: readonly string[]; at: string },
): MailAttempt[] {
  const { outcome, code, response, host, durationMs } = result
  const attempt = (before.at(-1)?.attempt ?? 0) + 1
  const entry = { attempt, at, outcome, code, response, recipients: [...to], host, durationMs }
  const isRepeat = (earlier: MailAttempt | undefined) =>
    saysNothing(result) && earlier?.outcome === outcome && earlier.response === response
  const kept = isRepeat(before.at(-1)) && isRepeat(before.at(-2)) ? before.slice(0, -1) : before
  return [...kept, entry].slice(-attemptsMax)
}
