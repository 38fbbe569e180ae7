import { type ReadonlySignal, signal } from '@preact/signals'

const nowMs = signal(Date.now())
setInterval(() => {
  nowMs.value = Date.now()
}, 30_000)

/** The time, to draw ages with: it changes twice a minute. */
export const clock: ReadonlySignal<number> = nowMs
