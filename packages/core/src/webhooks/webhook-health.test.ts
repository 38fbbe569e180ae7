import { expect, it } from 'vitest'
import { isHopeless, webhookHealth } from './webhook-rules.ts'
import { noDeliveries } from './webhook-values.ts'

const dayMs = 86_400_000
const nowMs = Date.parse('2026-11-21T09:30:00.000Z')
const daysAgo = (days: number) => new Date(nowMs - days * dayMs).toISOString()

interface Failing {
  failures?: number
  failingForDays?: number
  activeForDays?: number
}

function isOff(changes: Failing) {
  const { failures = 20, failingForDays = 7, activeForDays = 100 } = changes
  const counts = { ...noDeliveries, consecutiveFailures: failures, failingSince: daysAgo(failingForDays) }
  return isHopeless(counts, { activeSince: daysAgo(activeForDays), nowMs })
}

it('deactivates a webhook after 7 days and at least 20 failures', () => {
  expect(isOff({})).toBe(true)
  expect(isOff({ failures: 19 })).toBe(false)
  expect(isOff({ failures: 1000, failingForDays: 6.99 })).toBe(false)
})

it('restarts the 7 days when the webhook is activated again', () => {
  expect(isOff({ failingForDays: 30, activeForDays: 6.99 })).toBe(false)
  expect(isOff({ failingForDays: 30, activeForDays: 7 })).toBe(true)
})

it('never deactivates a webhook that has not failed since its last success', () => {
  expect(isHopeless(noDeliveries, { activeSince: daysAgo(100), nowMs })).toBe(false)
})

it('reports a reason for an inactive webhook, and none for an active one', () => {
  const failing = { ...noDeliveries, consecutiveFailures: 3 }
  expect(webhookHealth({ isActive: true, disabledReason: 'gone' }, failing)).toMatchObject({
    state: 'failing',
    disabledReason: null,
  })
  expect(webhookHealth({ isActive: false, disabledReason: 'gone' }, failing)).toMatchObject({
    state: 'disabled',
    disabledReason: 'gone',
  })
  // Rows from before the reason was kept.
  expect(webhookHealth({ isActive: false, disabledReason: null }, noDeliveries).disabledReason).toBe('manual')
})
