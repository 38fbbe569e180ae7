import type { WidgetTypingEvent } from '@crmkit/core'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Storage } from '../ports/storage.ts'
import { isoTime } from '../shared/clock.ts'
import type { TenantId } from '../storage/records.ts'

/** The streams of visitors in this process. */
export interface VisitorStreams {
  hasVisitors(tenantId: TenantId): boolean
  sendToVisitor(tenantId: TenantId, visitorId: string, frame: string): void
}

interface ReplySignsParts {
  storage: Pick<Storage, 'forTenant'>
  clock: Clock
  log: Log
  visitors: VisitorStreams
}

interface Place {
  tenantId: TenantId
  conversationId: string
}

/** Shows a visitor of the chat widget that somebody of the team writes a reply, without a name. */
export class ReplySigns {
  readonly #parts: ReplySignsParts
  readonly #replying = new Map<string, Place>()

  constructor(parts: ReplySignsParts) {
    this.#parts = parts
  }

  /** The users at a conversation, or their states, have changed. */
  note(place: Place, isReplying: boolean): void {
    const key = keyOf(place)
    if (isReplying === this.#replying.has(key)) return
    if (isReplying) this.#replying.set(key, place)
    else this.#replying.delete(key)
    void this.#send(place)
  }

  /** Streams that began later learn of it, and a lost sign does no harm: one that is not repeated is over. */
  repeat(): void {
    for (const place of this.#replying.values()) void this.#send(place)
  }

  async #send(place: Place): Promise<void> {
    const { storage, clock, log, visitors } = this.#parts
    const { tenantId, conversationId } = place
    if (!visitors.hasVisitors(tenantId)) return
    try {
      const conversation = await storage.forTenant(tenantId).conversations.find(conversationId)
      if (!conversation?.visitorId) return
      // As it is now: an earlier sign that was held up must not come after a later one.
      const isTyping = this.#replying.has(keyOf(place))
      const timestamp = isoTime(clock.nowMs())
      const event: WidgetTypingEvent = { event: 'typing', timestamp, data: { conversationId, isTyping } }
      const frame = `event: typing\ndata: ${JSON.stringify(event)}\n\n`
      visitors.sendToVisitor(tenantId, conversation.visitorId, frame)
    } catch (error) {
      log.warn({ err: error }, 'A visitor could not be shown that somebody replies')
    }
  }
}

function keyOf({ tenantId, conversationId }: Place): string {
  return `${tenantId} ${conversationId}`
}
