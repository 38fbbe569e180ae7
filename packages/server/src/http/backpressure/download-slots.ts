import type { ServerResponse } from 'node:http'

export const downloadsPerCredentialMax = 5

interface Slots {
  taken: number
  waiting: (() => void)[]
}

/**
 * Downloads that one credential may have in progress: each holds what it reads ahead for its client. Further ones wait
 * until one of them has ended.
 */
export class DownloadSlots {
  readonly #slots = new Map<string, Slots>()

  /** Resolves when the download may begin. Its slot is free again when the reply has ended or its connection is lost. */
  async take(credential: string, res: ServerResponse): Promise<void> {
    const slots = this.#slots.get(credential) ?? { taken: 0, waiting: [] }
    this.#slots.set(credential, slots)
    if (slots.taken < downloadsPerCredentialMax) slots.taken += 1
    else await new Promise<void>((resolve) => slots.waiting.push(resolve))
    if (res.closed) this.#release(credential, slots)
    else res.once('close', () => this.#release(credential, slots))
  }

  #release(credential: string, slots: Slots): void {
    const next = slots.waiting.shift()
    if (next !== undefined) {
      next()
      return
    }
    slots.taken -= 1
    if (slots.taken === 0) this.#slots.delete(credential)
  }
}
