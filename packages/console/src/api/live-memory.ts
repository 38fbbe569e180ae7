import type { LiveEvent } from '@crmkit/sdk'

type LiveOf<T extends LiveEvent['event']> = Extract<LiveEvent, { event: T }>

/** The live events that still hold: nothing repeats them, so a tab that opens later gets them from the tab that has them. */
export class LiveMemory {
  #counts: LiveOf<'counts.changed'> | undefined
  readonly #presence = new Map<string, LiveOf<'presence.changed'>>()

  take(event: LiveEvent): void {
    if (event.event === 'counts.changed') {
      const views = { ...this.#counts?.data.views, ...event.data.views }
      this.#counts = { ...event, data: { views } }
    } else if (event.event === 'presence.changed') {
      const { conversationId, present } = event.data
      if (present.length > 0) this.#presence.set(conversationId, event)
      else this.#presence.delete(conversationId)
    }
  }

  events(): LiveEvent[] {
    return [...(this.#counts ? [this.#counts] : []), ...this.#presence.values()]
  }
}
