const leastMs = 3_000
/** Conversations with typing visitors; a tenant with more loses some signs. */
const conversationsMax = 10_000

/** Lets through at most one sign in three seconds that a visitor types, and the end of each one that went through. */
export class TypingPace {
  readonly #shownAtMs = new Map<string, number>()
  readonly #typing = new Set<string>()

  isDue({ conversationId, isTyping }: { conversationId: string; isTyping: boolean }, nowMs: number): boolean {
    if (!isTyping) return this.#typing.delete(conversationId)
    const shownAtMs = this.#shownAtMs.get(conversationId)
    if (shownAtMs !== undefined && nowMs - shownAtMs < leastMs) return false
    if (this.#shownAtMs.size >= conversationsMax) this.#clear()
    this.#shownAtMs.set(conversationId, nowMs)
    this.#typing.add(conversationId)
    return true
  }

  #clear(): void {
    this.#shownAtMs.clear()
    this.#typing.clear()
  }
}
