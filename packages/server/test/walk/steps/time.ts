import { stepKind } from '../step-kind.ts'
import type { Walker } from '../walker.ts'
import { become } from './conversations.ts'

/** Opens the conversations whose snooze is over; returns whether there were any. */
export function wake(walker: Walker): boolean {
  let hasWoken = false
  const now = new Date(walker.world.now()).toISOString()
  for (const one of walker.model.alive(walker.model.conversations)) {
    if (one.status !== 'snoozed' || one.snoozedUntil === null || one.snoozedUntil > now) continue
    become(walker, { ...one, status: 'open', snoozedUntil: null, wakeOnReply: true })
    hasWoken = true
  }
  return hasWoken
}

export const timeSteps = {
  'time.passes': stepKind<{ minutes: number }>({
    weight: 3,
    choose: ({ random }) => ({ minutes: random.pick([1, 6, 90]) }),
    async run(walker, { minutes }) {
      walker.world.advance(minutes * 60_000)
    },
  }),
}
