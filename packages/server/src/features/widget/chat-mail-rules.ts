import type { ChatMailAddress } from '../../storage/kinds/chat-mails.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

interface Cap {
  windowMs: number
  most: number
}

/** The caps of one conversation: replies, and transcripts that its visitor asks for. */
export const conversationCaps = {
  mailedAt: [
    { windowMs: 15 * minuteMs, most: 1 },
    { windowMs: dayMs, most: 10 },
  ],
  transcribedAt: [
    { windowMs: hourMs, most: 1 },
    { windowMs: dayMs, most: 3 },
  ],
} as const satisfies Record<string, readonly Cap[]>

/** The caps of one address over all conversations of a tenant. Replies count while nobody has replied from the address. */
export const addressCaps = {
  mailedAt: [{ windowMs: dayMs, most: 5 }],
  transcribedAt: [{ windowMs: dayMs, most: 5 }],
} as const satisfies Record<string, readonly Cap[]>

export type Mailing = keyof typeof conversationCaps

/** Returns when the caps allow the next mail, ms since 1970; at most `nowMs` when they allow one now. `sentAt`: the oldest first. */
export function allowedAtMs(sentAt: readonly string[], caps: readonly Cap[], nowMs: number): number {
  const moments = sentAt.map((at) => Date.parse(at)).sort((a, b) => a - b)
  const ends = caps.map(({ windowMs, most }) => {
    const blocking = moments.filter((at) => at > nowMs - windowMs)
    const first = blocking[blocking.length - most]
    return first === undefined ? nowMs : first + windowMs
  })
  return Math.max(nowMs, ...ends)
}

/** Returns the moments of the last day with one more. */
export function withMoment(sentAt: readonly string[], now: string): string[] {
  return [...sentAt.filter((at) => Date.parse(at) > Date.parse(now) - dayMs), now]
}

/** Returns the moments of mail to an address; none for an address that has had none. */
export function momentsOf(row: Pick<ChatMailAddress, Mailing> | undefined, mailing: Mailing): string[] {
  return row?.[mailing] ?? []
}
