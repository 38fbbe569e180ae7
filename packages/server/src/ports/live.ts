import type { LiveEventData, LiveEventType, PresenceState, TypingEvent } from '@crmkit/core'
import type { TenantId } from '../storage/records.ts'

/** A live event of a conversation: sent to the streams of the team that ask for live events, and stored nowhere. */
export type LiveSignal = { [T in SignalType]: LiveSignalOf<T> }[SignalType]

export type SignalType = Exclude<
  LiveEventType,
  'counts.changed' | 'presence.changed' | 'availability.changed'
>

interface LiveSignalOf<T extends SignalType> {
  event: T
  /** The name of a customer is read where a stream needs it. */
  data: T extends 'typing' ? TypingSign : LiveEventData<T>
  /** Only streams of this user get it. Absent: those of the whole team. */
  userId?: string | undefined
}

/** A visitor of a conversation types, or has stopped. */
export interface TypingSign extends TypingEvent {
  customerId: string | null
}

/** The state of a session at a conversation. */
export interface PresenceEntry {
  sessionId: string
  userId: string
  conversationId: string
  state: PresenceState | 'none'
  /** When the session came, ISO 8601. */
  since: string
  /** When the state was set, in milliseconds since 1970: of two reports, the later one is right. */
  setAtMs: number
}

/** Sends live events to the streams of the team, of this process and of the others. */
export interface LiveEvents {
  publish(tenantId: TenantId, signal: LiveSignal): void
}
